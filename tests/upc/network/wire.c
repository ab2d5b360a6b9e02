/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "wire.h"
#include "upc/network/ucx_gate.h"
#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/plugin.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/leave.h"
#include "upc/runtime/memory/heap.h"
#include "upc/runtime/memory/segment.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/start/network_open.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

unsigned long wire_broken;
static void (*on_sent)(const struct wire_sent *message);

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "wire: cannot %s\n", what);
	exit(1);
}

/* ---- UCX ---- */

static struct {
	int thread;
} endpoints[WIRE_THREADS];

static ucs_status_t good_config(const char *prefix, const char *file, ucp_config_t **config)
{
	(void)prefix, (void)file;
	*config = NULL;
	return UCS_OK;
}

static void newest_version(unsigned int *major, unsigned int *minor, unsigned int *release)
{
	*major = 1;
	*minor = *release = 99;
}

static ucs_status_t good_modify(ucp_config_t *config, const char *name, const char *value)
{
	(void)config, (void)name, (void)value;
	return UCS_OK;
}

static void release_config(ucp_config_t *config)
{
	(void)config;
}

static ucs_status_t good_init(
	unsigned major, unsigned minor, const ucp_params_t *params, const ucp_config_t *config, ucp_context_h *context)
{
	(void)major, (void)minor, (void)params, (void)config;
	*context = (ucp_context_h)(void *)endpoints;
	return UCS_OK;
}

static ucs_status_t good_worker(ucp_context_h context, const ucp_worker_params_t *params, ucp_worker_h *worker)
{
	(void)context, (void)params;
	*worker = (ucp_worker_h)(void *)endpoints;
	return UCS_OK;
}

static ucs_status_t good_address(ucp_worker_h worker, ucp_address_t **address, size_t *size)
{
	(void)worker;
	*address = (ucp_address_t *)(void *)endpoints;
	*size = sizeof endpoints;
	return UCS_OK;
}

static void release_address(ucp_worker_h worker, ucp_address_t *address)
{
	(void)worker, (void)address;
}

static ucs_status_t good_efd(ucp_worker_h worker, int *efd)
{
	(void)worker;
	*efd = eventfd(0, EFD_CLOEXEC);
	return *efd >= 0 ? UCS_OK : UCS_ERR_NO_RESOURCE;
}

static ucs_status_t good_arm(ucp_worker_h worker)
{
	(void)worker;
	return UCS_OK;
}

static unsigned no_progress(ucp_worker_h worker)
{
	(void)worker;
	return 0;
}

static ucs_status_t good_handler(ucp_worker_h worker, const ucp_am_handler_param_t *param)
{
	(void)worker, (void)param;
	return UCS_OK;
}

/* Stores the plug-in's peer, which is the argument of its error handler. */
static ucs_status_t good_endpoint(ucp_worker_h worker, const ucp_ep_params_t *params, ucp_ep_h *endpoint)
{
	const struct hupc__ucx_peer *peer = params->err_handler.arg;
	ptrdiff_t thread = peer - hupc__ucx.peers;
	(void)worker;
	endpoints[thread].thread = (int)thread;
	*endpoint = (ucp_ep_h)(void *)&endpoints[thread];
	return UCS_OK;
}

static ucs_status_ptr_t note_sent(ucp_ep_h endpoint, unsigned id, const void *header, size_t header_size,
	const void *data, size_t size, const ucp_request_param_t *param)
{
	struct wire_sent message = {
		.to = (int)(((char *)endpoint - (char *)endpoints) / sizeof *endpoints), .size = size};
	(void)id, (void)param;
	check(header_size == sizeof message.header, "send a header of that size");
	memcpy(&message.header, header, sizeof message.header);
	if (size)
		memcpy(message.data, data, size < sizeof message.data ? size : sizeof message.data);
	for (size_t i = sizeof message.data; i < size; i++) /* checks that all of it is readable */
		(void)((const volatile unsigned char *)data)[i];
	on_sent(&message);
	return NULL;
}

static const char *no_text(ucs_status_t status)
{
	(void)status;
	return "no reason";
}

/* NOLINTNEXTLINE(readability-non-const-parameter): as declared */
bool hupc__ucx_load(char *problem, size_t size)
{
	(void)problem, (void)size;
	hupc__ucx.api = (struct hupc__ucx_api){
		.ucp_get_version = newest_version,
		.ucp_init_version = good_init,
		.ucp_config_read = good_config,
		.ucp_config_modify = good_modify,
		.ucp_config_release = release_config,
		.ucp_worker_create = good_worker,
		.ucp_worker_get_address = good_address,
		.ucp_worker_release_address = release_address,
		.ucp_worker_get_efd = good_efd,
		.ucp_worker_arm = good_arm,
		.ucp_worker_progress = no_progress,
		.ucp_worker_set_am_recv_handler = good_handler,
		.ucp_ep_create = good_endpoint,
		.ucp_am_send_nbx = note_sent,
		.ucs_status_string = no_text,
	};
	return true;
}

void hupc__ucx_silence(void)
{
}

const char *hupc__ucx_hook(const struct hupc__ucx_hook *hooks, size_t count)
{
	(void)hooks, (void)count;
	return NULL;
}

/* ---- the runtime ---- */

void *hupc__plugin_symbol(const char *name)
{
	(void)name;
	return NULL;
}

void hupc__plugin_unmeasured(bool begin)
{
	(void)begin;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): as declared */
void *hupc__plugin_find(const char *library, const char *function, char *problem, size_t size)
{
	(void)library, (void)function, (void)problem, (void)size;
	return (void *)hupc_network_open;
}

/* Called when the runtime would end the job. */
void hupc__leave_together(int status)
{
	(void)status;
}

bool hupc__has_vanished(int thread)
{
	return thread < 0;
}

void hupc__leave(bool first, int status)
{
	fprintf(stderr, "wire: the program ends%s with status %d\n", first ? " itself" : "", status);
	abort();
}

/* Simulates the launcher, which has no addresses: UCX's functions above need none. */
static bool put(const char *key, const char *value)
{
	return key && value;
}

static bool get(int rank, const char *key, char *value, size_t size)
{
	(void)rank, (void)key;
	return size && !(value[0] = '\0');
}

static bool fence(void)
{
	return true;
}

static struct hupc__job job = {
	.version = HUPC__JOB_VERSION, .name = "none", .size = WIRE_THREADS, .put = put, .fence = fence, .get = get};

static void believe_again(int thread, const char *why)
{
	check(thread >= 0 && thread < WIRE_THREADS && *why, "tell who is broken");
	wire_broken++;
	hupc__ucx.peers[thread].broken = false;
}

static void map_memory(void)
{
	static const int nodes[WIRE_THREADS] = {0, 1, 2};
	int file = hupc__segment_create(WIRE_THREADS, WIRE_SEGMENT);
	check(file >= 0 && !hupc__segment_attach_control(file), "make shared memory");
	hupc__control->threads = WIRE_THREADS;
	hupc__control->magic = HUPC__MAGIC;
	hupc__control->segment_size = WIRE_SEGMENT;
	hupc__control->border = WIRE_SEGMENT / 2;
	hupc__nodes_set(nodes, WIRE_THREADS);
	check(!hupc__segment_attach(file), "map shared memory");
	close(file);
	hupc__heap_prepare(WIRE_STATIC);
}

void wire_start(void (*sent)(const struct wire_sent *message))
{
	const struct hupc__common common = {.segment_size = WIRE_SEGMENT, .one_machine = true, .secret = {1, 2, 3}};
	sigset_t end;
	hupc__threads = WIRE_THREADS;
	hupc__is_thread = true;
	sigemptyset(&end);
	sigaddset(&end, HUPC__END_SIGNAL);
	pthread_sigmask(SIG_BLOCK, &end, NULL); /* a message may request termination */
	on_sent = sent;
	map_memory();
	hupc__job = &job;
	hupc__network_start(&common);
	hupc__ucx.host.broken = believe_again;
}

void wire_arrive(const void *header, size_t header_size, const void *data, size_t size)
{
	char *copy = malloc(size), *header_copy = malloc(header_size); /* ASan detects reads beyond the copies */
	check(hupc__ucx_held(), "give a message without the lock");
	if (header_size)
		memcpy(header_copy, header, header_size);
	if (size)
		memcpy(copy, data, size);
	hupc__ucx_arrived(NULL, header_copy, header_size, copy, size, NULL);
	for (int thread = 0; thread < WIRE_THREADS; thread++)
		hupc__ucx.peers[thread].gone = false; /* continues after a BYE */
	free(header_copy);
	free(copy);
}

/* Does not free the messages: only the plug-in knows their layout. */
void wire_forget_early(void)
{
	for (int thread = 0; thread < WIRE_THREADS; thread++)
		hupc__ucx.peers[thread].order.early = NULL;
}
