/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/end/others.h"

#include <signal.h>
#include <unistd.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/messages/network.h"

#define TERMINATION_MS 1000 /* to wait for other nodes to acknowledge the end */

static volatile bool ending; /* lost connections are expected */

void hupc__network_expect_end(void)
{
	ending = true;
}

bool hupc__network_expects_end(void)
{
	return ending;
}

struct end_message {
	uint32_t message; /* HUPC__MESSAGE_END or HUPC__MESSAGE_ENDS */
	int32_t status;
};

static void send_to(int thread, enum hupc__message kind, int status)
{
	struct end_message message = {kind, status};
	hupc__network->send(thread, &message, sizeof(message));
}

/* This process then ends in a signal handler, as if another thread of its node had requested it. */
static bool receive_end(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	if (size != sizeof(struct end_message) || ticket)
		return false;
	ending = true;
	send_to(from, HUPC__MESSAGE_ENDS, 0);
	hupc__ask_to_end(((const struct end_message *)message)->status);
	kill(getpid(), HUPC__END_SIGNAL);
	return true;
}
HUPC__RECEIVE(END, receive_end, "the end of the program")

/* While this thread ends the others: how many have not answered, and until when it waits. */
static struct {
	int missing;
	uint64_t until;
} termination;

static bool receive_ends(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	(void)from;
	(void)message;
	if (size != sizeof(struct end_message) || ticket)
		return false;
	termination.missing--;
	hupc__network->wake();
	return true;
}
HUPC__RECEIVE(ENDS, receive_ends, "an answer to the end")

static bool all_answered(void *unused)
{
	(void)unused;
	return termination.missing <= 0 || hupc__now_ms() >= termination.until;
}

void hupc__network_end_others(int status)
{
	if (!hupc__network || ending)
		return;
	ending = true;
	termination.until = hupc__now_ms() + TERMINATION_MS;
	for (int t = 0; t < hupc__threads; t++) {
		if (!hupc__is_mapped_thread(t)) {
			termination.missing++;
			send_to(t, HUPC__MESSAGE_END, status);
		}
	}
	hupc__network->wait_until(all_answered, NULL);
	usleep(1000 * TERMINATION_MS / 5); /* so that the launcher sees their end before this one's */
}
