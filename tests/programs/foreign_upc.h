/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in for the run-time system of another UPC compiler, for foreign_upc.c; in a file of its own, as theirs is.
 * First the functions that compiled code calls, then the code that calls the program's main.
 */
#ifndef FOREIGN_UPC_H
#define FOREIGN_UPC_H

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <heddle/gasp_upc.h>

#include "burn.h"

#define KEEP NOINLINE __attribute__((used))
#define STAY __asm__ volatile("")
#define THREADS 2

/* The time of an access, spent in the run-time system. */
static KEEP void gupcr_move(double ms)
{
	burn_ms(ms);
	STAY;
}

static _Thread_local gasp_context_t context;
static _Thread_local unsigned int step;

#ifdef BERKELEY
enum { FUNCTION = 1023, GET = 1111, PUT = 1110, NOTIFY = 1100, EXIT = 1210 };

unsigned int _pupc_create_event(const char *name, const char *description);
void _pupc_event_start(const char *file, int line, unsigned int number, int value);
void _pupc_event_end(const char *file, int line, unsigned int number, int value);
void _pupc_event_atomic(const char *file, int line, unsigned int number, int value);
void upcri_pevt_beginfn(const char *file, int line, const char *name);
void upcri_pevt_endfn(const char *file, int line, const char *name);
int _upcr_get_shared(const char *file, int line);
void upcr_notify(const char *file, int line);

KEEP unsigned int _pupc_create_event(const char *name, const char *description)
{
	unsigned int number = gasp_create_event(context, name, description);
	STAY;
	return number;
}

KEEP void _pupc_event_start(const char *file, int line, unsigned int number, int value)
{
	gasp_event_notify(context, number, GASP_START, file, line, 0, value);
	STAY;
}

KEEP void _pupc_event_end(const char *file, int line, unsigned int number, int value)
{
	gasp_event_notify(context, number, GASP_END, file, line, 0, value);
	STAY;
}

KEEP void _pupc_event_atomic(const char *file, int line, unsigned int number, int value)
{
	gasp_event_notify(context, number, GASP_ATOMIC, file, line, 0, value);
	STAY;
}

KEEP void upcri_pevt_beginfn(const char *file, int line, const char *name)
{
	gasp_event_notify(context, FUNCTION, GASP_START, file, line, 0, name);
	STAY;
}

KEEP void upcri_pevt_endfn(const char *file, int line, const char *name)
{
	gasp_event_notify(context, FUNCTION, GASP_END, file, line, 0, name);
	STAY;
}

KEEP int _upcr_get_shared(const char *file, int line)
{
	static long long memory[2];
	gasp_event_notify(context, GET, GASP_START, file, line, 0, 1, (void *)memory, (void *)memory, (size_t)4);
	gupcr_move(4);
	gasp_event_notify(context, GET, GASP_END, file, line, 0, 1, (void *)memory, (void *)memory, (size_t)4);
	return (int)memory[0];
}

KEEP void upcr_notify(const char *file, int line)
{
	gasp_event_notify(context, NOTIFY, GASP_START, file, line, 0, 0, 0);
	gasp_event_notify(context, NOTIFY, GASP_END, file, line, 0, 0, 0);
	STAY;
}

#define CREATE(name, text) _pupc_create_event(name, text)
#define BEGIN(number, value) _pupc_event_start("foreign_upc.c", __LINE__, number, value)
#define FINISH(number, value) _pupc_event_end("foreign_upc.c", __LINE__, number, value)
#define HAPPEN(number, value) _pupc_event_atomic("foreign_upc.c", __LINE__, number, value)
#define ENTER(name) upcri_pevt_beginfn("foreign_upc.c", __LINE__, name)
#define LEAVE(name) upcri_pevt_endfn("foreign_upc.c", __LINE__, name)
#define READ() _upcr_get_shared("foreign_upc.c", __LINE__)
#define USER_MAIN user_main
#else
enum { FUNCTION = 1, GET = 26, PUT = 27, NOTIFY = 7, EXIT = 5 };

void pupc_event_startg(unsigned int number, const char *file, int line, ...);
void pupc_event_endg(unsigned int number, const char *file, int line, ...);
void pupc_event_atomicg(unsigned int number, const char *file, int line, ...);
int __getgsi4(const char *file, int line);
void __putgsi4(int value, const char *file, int line);

#define PASS_ON(name, type)                                                      \
	KEEP void name(unsigned int number, const char *file, int line, ...)     \
	{                                                                        \
		va_list list;                                                    \
		va_start(list, line);                                            \
		gasp_event_notifyVA(context, number, type, file, line, 0, list); \
		va_end(list);                                                    \
		STAY;                                                            \
	}
PASS_ON(pupc_event_startg, GASP_START)
PASS_ON(pupc_event_endg, GASP_END)
PASS_ON(pupc_event_atomicg, GASP_ATOMIC)

KEEP void __putgsi4(int value, const char *file, int line)
{
	static long long memory[2];
	memory[1] = value;
	pupc_event_startg(PUT, file, line, 1, (void *)memory, (void *)memory, (size_t)4);
	gupcr_move(1);
	pupc_event_endg(PUT, file, line, 1, (void *)memory, (void *)memory, (size_t)4);
}

KEEP int __getgsi4(const char *file, int line)
{
	static long long memory[2];
	pupc_event_startg(GET, file, line, 1, (void *)memory, (void *)memory, (size_t)4);
	gupcr_move(4);
	pupc_event_endg(GET, file, line, 1, (void *)memory, (void *)memory, (size_t)4);
	return (int)memory[0];
}

#define CREATE(name, text) gasp_create_event(context, name, text)
#define BEGIN(number, value) pupc_event_startg(number, "foreign_upc.c", __LINE__, value)
#define FINISH(number, value) pupc_event_endg(number, "foreign_upc.c", __LINE__, value)
#define HAPPEN(number, value) pupc_event_atomicg(number, "foreign_upc.c", __LINE__, value)
#define ENTER(name) pupc_event_startg(FUNCTION, "foreign_upc.c", __LINE__, name)
#define LEAVE(name) pupc_event_endg(FUNCTION, "foreign_upc.c", __LINE__, name)
#define READ() (__putgsi4(1, "foreign_upc.c", __LINE__), __getgsi4("foreign_upc.c", __LINE__))
#define USER_MAIN upc_main
#endif

int USER_MAIN(int argc, char **argv);

static int arguments;
static char **words;

static KEEP void upcri_perthread_main(void)
{
	context = gasp_init(GASP_MODEL_UPC, &arguments, &words);
#ifdef BERKELEY
	upcr_notify("_STARTUP", 0);
#endif
	burn_ms(3);
	USER_MAIN(arguments, words);
	gasp_event_notify(context, EXIT, GASP_START, NULL, 0, 0, 0);
	gasp_event_notify(context, EXIT, GASP_END, NULL, 0, 0, 0);
}

static void *upcri_pthread(void *nothing)
{
	upcri_perthread_main();
	return nothing;
}

static KEEP void upcri_spawn(int threads)
{
	pthread_t others[THREADS];
	for (int i = 1; i < THREADS; i++) {
		if (threads)
			pthread_create(&others[i], NULL, upcri_pthread, NULL);
		else if (fork() == 0)
			break;
	}
	upcri_perthread_main();
	for (int i = 1; threads && i < THREADS; i++)
		pthread_join(others[i], NULL);
	while (!threads && wait(NULL) > 0)
		;
}

void bupc_init_reentrant(int *argc, char ***argv);
KEEP void bupc_init_reentrant(int *argc, char ***argv)
{
	arguments = *argc;
	words = *argv;
	upcri_spawn(*argc > 1 && strcmp((*argv)[1], "threads") == 0);
	STAY;
}

#endif
