/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal handler runs between any two instructions of an event or a switch, by single-stepping: it switches once or
 * twice, or sends events itself. Afterwards, the value of gasp_control agrees with what is measured, no region is left
 * open, and the interrupted events are counted correctly.
 */
#include "client.h"

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100
#define SECOND_FROM 131   /* steps between tested positions of the first of two signals */
#define SECOND_WITHIN 150 /* the second one follows within this number of steps */
#define OPTIMIZED 1500    /* an operation has fewer steps in optimized code */

static gasp_context_t context;
static unsigned int user, other_user;
static volatile sig_atomic_t steps, first, second;
static void (*volatile act)(void);

static void on_step(int number, siginfo_t *info, void *context_of)
{
	ucontext_t *interrupted = context_of;
	(void)number;
	(void)info;
	steps++;
	if (steps == first || steps == second)
		act();
	if (first && steps >= first && steps >= second)
		interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG; /* done */
}

static inline void step(bool on)
{
	unsigned long flags = __builtin_ia32_readeflags_u64();
	__builtin_ia32_writeeflags_u64(on ? flags | TRAP_FLAG : flags & ~(unsigned long)TRAP_FLAG);
}

/* ---- what is interrupted ---- */

static void region(void)
{
	START(context, GASP_UPC_FORALL, "region.upc", 1, 0);
	END(context, GASP_UPC_FORALL, "region.upc", 1, 0);
}

static void copy(void)
{
	get(context, "copy.upc", 1, 8);
}

static void user_event(void)
{
	START(context, user, "user.upc", 1, 0, 5);
	END(context, user, "user.upc", 1, 0, 5);
}

static void switches(void)
{
	int before = gasp_control(context, 0);
	START(context, GASP_UPC_MEMSET, "opened_off.upc", 1, 0, (void *)&steps, 0, (size_t)1);
	START(context, user, "opened_off.upc", 1, 0, 5);
	gasp_control(context, before);
	END(context, user, "opened_off.upc", 1, 0, 5);
	END(context, GASP_UPC_MEMSET, "opened_off.upc", 1, 0, (void *)&steps, 0, (size_t)1);
}

/* ---- what interrupts ---- */

static void toggle(void)
{
	gasp_control(context, !gasp_control_query(context));
}

static void send_events(void)
{
	static char handle;
	START(context, other_user, "handler.upc", 1, 0);
	START(context, GASP_UPC_NB_GET_INIT, "handler.upc", 2, 0, 1, &handle, &handle, (size_t)1);
	END(context, GASP_UPC_NB_GET_INIT, "handler.upc", 2, 0, 1, &handle, &handle, (size_t)1, &handle);
	START(context, GASP_UPC_NB_SYNC, "handler.upc", 3, 0, &handle);
	END(context, GASP_UPC_NB_SYNC, "handler.upc", 3, 0, &handle);
	END(context, other_user, "handler.upc", 4, 0);
}

static int checked_on;

/* Checks that events are measured if gasp_control_query says so, and that no region is open. */
static void check(void)
{
	bool on = gasp_control_query(context) != 0;
	fence(context, on ? "on.upc" : "off.upc", 1);
	checked_on += on;
}

/* Executes the operation once, interrupted at steps AT and THEN (0: not). Without interruptions, returns its steps. */
static int play(void (*operation)(void), int on, int at, int then)
{
	gasp_control(context, on);
	steps = 0;
	first = at;
	second = then;
	step(true);
	operation();
	step(false);
	check();
	return steps;
}

/* Returns the distance of tested steps: unoptimized code has many more instructions, but no more states. */
static int thinner(int length)
{
	return 1 + length / OPTIMIZED;
}

static int play_all(void (*operation)(void), void (*what)(void), int on, int stride)
{
	int rounds = 1;
	play(operation, on, 0, 0); /* so that initialization is done before steps are counted */
	int length = play(operation, on, 0, 0);
	act = what;
	for (int at = 1; at <= length; at += stride * thinner(length), rounds++)
		play(operation, on, at, 0);
	return rounds;
}

static void play_pairs(void (*operation)(void), int on)
{
	int length = play(operation, on, 0, 0);
	act = toggle;
	int scale = thinner(length);
	for (int at = 1; at < length; at += SECOND_FROM * scale) {
		for (int then = at + 1; then < at + SECOND_WITHIN * scale; then += scale)
			play(operation, on, at, then);
	}
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
	context = init_upc();
	user = gasp_create_event(context, "interrupted", "%d");
	other_user = gasp_create_event(context, "interrupting", NULL);
	sigaction(SIGTRAP, &action, NULL);
	for (int on = 0; on <= 1; on++) {
		play_all(region, toggle, on, 1);
		play_all(copy, toggle, on, 11);
		play_all(user_event, toggle, on, 11);
		play_all(switches, toggle, on, 11);
		play_pairs(region, on);
		play_all(region, send_events, on, 11);
		play_all(switches, send_events, on, 11);
	}
	int rounds = play_all(copy, send_events, 1, 11);
	EXPECT_PATHS("GASP_UPC_FENCE @on.upc:1", 1);
	EXPECT("visits", "GASP_UPC_FENCE @on.upc:1", checked_on);
	EXPECT_PATHS("*GASP_UPC_FENCE @off.upc:1", 0);
	EXPECT_BETWEEN("visits", "GASP_UPC_GET @copy.upc:1", rounds, UINT64_MAX);
	EXPECT_BETWEEN("visits", "*@handler.upc:2", 1, UINT64_MAX);
	return 0;
}
