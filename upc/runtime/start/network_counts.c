/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * If UPC_NETWORK_COUNTS is set, counts this thread's calls of the network, and prints them in one line at the end.
 * Replaces the plug-in's functions by its own, so that nothing is counted if the variable is not set.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/start/network_open.h"

enum counted { GETS, PUTS, MESSAGES, QUESTIONS, ANSWERS, FENCES, KINDS };

static _Atomic unsigned long counts[KINDS];
static const struct hupc__network *plugin;
static struct hupc__network counting;

static void count(enum counted kind)
{
	atomic_fetch_add_explicit(&counts[kind], 1, memory_order_relaxed);
}

static void get(int thread, uint64_t offset, void *to, uint64_t size)
{
	count(GETS);
	plugin->get(thread, offset, to, size);
}

static void put(int thread, uint64_t offset, const void *from, uint64_t size)
{
	count(PUTS);
	plugin->put(thread, offset, from, size);
}

static hupc__transfer get_begin(int thread, uint64_t offset, void *to, uint64_t size)
{
	count(GETS);
	return plugin->get_begin(thread, offset, to, size);
}

static hupc__transfer put_begin(int thread, uint64_t offset, const void *from, uint64_t size)
{
	count(PUTS);
	return plugin->put_begin(thread, offset, from, size);
}

static void fence(void)
{
	count(FENCES);
	plugin->fence();
}

static void send(int thread, const void *message, size_t size)
{
	count(MESSAGES);
	plugin->send(thread, message, size);
}

static void send_as_put(int thread, const void *message, size_t size)
{
	count(MESSAGES);
	plugin->send_as_put(thread, message, size);
}

static void ask(int thread, const void *question, size_t size, void *answer, size_t answer_size)
{
	count(QUESTIONS);
	plugin->ask(thread, question, size, answer, answer_size);
}

static void give_answer(const struct hupc__ticket *ticket, const void *answer, size_t size)
{
	count(ANSWERS);
	plugin->answer(ticket, answer, size);
}

static void print(void)
{
	hupc__say(
		"thread %d: %lu gets, %lu puts, %lu messages, %lu questions, %lu answers, %lu fences, %d connections, "
		"%lu polls by its thread, %d values of the launcher at the start, %lu strangers",
		hupc__mythread, counts[GETS], counts[PUTS], counts[MESSAGES], counts[QUESTIONS], counts[ANSWERS],
		counts[FENCES], hupc__network_connections, plugin->thread_polls(), hupc__places_reads,
		plugin->strangers());
}

static void close_network(void)
{
	print();
	plugin->close();
}

const struct hupc__network *hupc__network_count(const struct hupc__network *network)
{
	const char *wanted = getenv("UPC_NETWORK_COUNTS");
	if (!wanted || !*wanted || *wanted == '0')
		return network;
	plugin = network;
	counting = *network;
	counting.get = get;
	counting.put = put;
	counting.get_begin = get_begin;
	counting.put_begin = put_begin;
	counting.fence = fence;
	counting.send = send;
	counting.send_as_put = send_as_put;
	counting.ask = ask;
	counting.answer = give_answer;
	counting.close = close_network;
	return &counting;
}
