/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See the header. On one node, the first thread is decided by a word in shared memory. With several nodes, thread 0's
 * process grants the claim, once. If that process does not answer, each node ends the program for itself: one message
 * too many is better than none.
 */
#include "upc/runtime/end/claim.h"

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/system.h"
#include "upc/runtime/end/ending.h"
#include "upc/runtime/messages/network.h"

#define ANSWER_MS 1000 /* to wait for thread 0's answer */

struct grant {
	uint32_t message; /* HUPC__MESSAGE_GRANT */
	uint32_t granted;
};

static enum { UNKNOWN, GRANTED, REFUSED } outcome;

/* In the process of thread 0: grants the first claim. Context: handler. */
static bool receive_claim(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	static int holder = -1;
	(void)message;
	if (size != sizeof(uint32_t) || ticket || hupc__mythread != 0)
		return false;
	if (holder < 0)
		holder = from;
	struct grant answer = {HUPC__MESSAGE_GRANT, holder == from};
	hupc__network->send(from, &answer, sizeof(answer));
	return true;
}
HUPC__RECEIVE(CLAIM, receive_claim, "a claim to end the program")

static bool receive_grant(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	if (size != sizeof(struct grant) || ticket || from != 0)
		return false;
	outcome = ((const struct grant *)message)->granted ? GRANTED : REFUSED;
	hupc__network->wake();
	return true;
}
HUPC__RECEIVE(GRANT, receive_grant, "a grant to end the program")

static bool is_answered(void *until)
{
	return outcome != UNKNOWN || hupc__now_ms() >= *(uint64_t *)until;
}

/* Several threads of a process may claim: all get the same answer. */
static bool is_refused(void)
{
	uint32_t claim = HUPC__MESSAGE_CLAIM;
	uint64_t until = hupc__now_ms() + ANSWER_MS;
	if (!hupc__network)
		return false;
	hupc__network->send(0, &claim, sizeof(claim));
	hupc__network->wait_until(is_answered, &until);
	return outcome == REFUSED;
}

bool hupc__claim_end(int status)
{
	if (is_refused())
		hupc__wait_for_end();
	hupc__speak_undisturbed();
	return hupc__ask_to_end(status);
}
