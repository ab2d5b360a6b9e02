/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens and closes the network. Context: main thread. */
#include "upc/network/ucx.h"
#include "upc/network/ucx_gate.h"
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GOODBYE_MS 30 /* how long close waits for threads that have not closed their network yet */

struct hupc__ucx hupc__ucx;

static bool failed(char *problem, size_t size, const char *what, ucs_status_t status)
{
	if (status != UCS_OK)
		snprintf(problem, size, "%s: %s", what, hupc__ucx.api.ucs_status_string(status));
	return status != UCS_OK;
}

/* From UCX 1.17 on, the name of a transport's setting begins with that of the transport, as it does in the environment.
 */
static bool names_transports(void)
{
	unsigned int major = 0, minor = 0, release = 0;
	hupc__ucx.api.ucp_get_version(&major, &minor, &release);
	return major > 1 || minor >= 17;
}

/* Settings of this network only. Settings of the user in the environment take precedence. */
static void configure(ucp_config_t *config)
{
	static const struct {
		const char *name, *value;
		bool of_tcp;
	} settings[] = {
		{"TX_SEG_SIZE", "256k", true}, {"RX_SEG_SIZE", "512k", true}, {"MAX_EAGER_LANES", "1", false},
		{"TLS", "^shm", false}, /* if memory can be shared, the runtime maps it */
	};
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		char name[64], of_tcp[64];
		snprintf(name, sizeof name, "UCX_%s", settings[i].name);
		snprintf(of_tcp, sizeof of_tcp, "UCX_TCP_%s", settings[i].name);
		if (getenv(name) || getenv(of_tcp))
			continue;
		const char *key = settings[i].of_tcp && names_transports() ? of_tcp : name;
		hupc__ucx.api.ucp_config_modify(config, key + strlen("UCX_"), settings[i].value);
	}
	if (hupc__ucx.host.devices)
		hupc__ucx.api.ucp_config_modify(config, "NET_DEVICES", hupc__ucx.host.devices);
}

static bool is_device(const char *name, size_t length)
{
	static const char *const folders[] = {"/sys/class/net", "/sys/class/infiniband"};
	char path[256];
	if (access(folders[0], F_OK))
		return true; /* it cannot be checked */
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(path, sizeof path, "%s/%.*s", folders[i], (int)length, name);
		if (length && length < 64 && !access(path, F_OK))
			return true;
	}
	return false;
}

/* UCX continues without a device that does not exist, and then cannot connect to any thread. */
static bool has_devices(char *problem, size_t size)
{
	const char *devices = hupc__ucx.host.devices;
	for (const char *at = devices; at && *at; at += strcspn(at, ","), at += *at == ',') {
		if (is_device(at, strcspn(at, ",:")))
			return true;
	}
	if (devices)
		snprintf(problem, size, "this machine has no network interface %s (UPC_NETWORK_DEVICES)", devices);
	return !devices;
}

static bool open_context(char *problem, size_t size)
{
	const ucp_params_t params = {
		.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
		.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
		.estimated_num_eps = (size_t)hupc__ucx.host.threads,
	};
	ucp_config_t *config;
	ucs_status_t status;
	if (failed(problem, size, "UCX's settings", hupc__ucx.api.ucp_config_read(NULL, NULL, &config)))
		return false;
	configure(config);
	status = hupc__ucx.api.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &hupc__ucx.context);
	hupc__ucx.api.ucp_config_release(config);
	return !failed(problem, size, "UCX finds no network", status);
}

static bool open_worker(char *problem, size_t size)
{
	const ucp_worker_params_t params = {
		.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
		.thread_mode = UCS_THREAD_MODE_SERIALIZED,
	};
	const ucp_am_handler_param_t handler = {
		.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
			      UCP_AM_HANDLER_PARAM_FIELD_FLAGS,
		.id = 0,
		.flags = UCP_AM_FLAG_WHOLE_MSG,
		.cb = hupc__ucx_arrived,
	};
	const struct hupc__ucx_api *api = &hupc__ucx.api;
	ucp_address_t *address;
	if (failed(problem, size, "UCX's worker",
		    api->ucp_worker_create(hupc__ucx.context, &params, &hupc__ucx.worker)))
		return false;
	if (failed(problem, size, "UCX's messages", api->ucp_worker_set_am_recv_handler(hupc__ucx.worker, &handler)) ||
		failed(problem, size, "UCX's events", api->ucp_worker_get_efd(hupc__ucx.worker, &hupc__ucx.efd)) ||
		failed(problem, size, "UCX's address",
			api->ucp_worker_get_address(hupc__ucx.worker, &address, &hupc__ucx.address_size)))
		return false;
	hupc__ucx.address = malloc(hupc__ucx.address_size);
	if (hupc__ucx.address)
		memcpy(hupc__ucx.address, address, hupc__ucx.address_size);
	api->ucp_worker_release_address(hupc__ucx.worker, address);
	return hupc__ucx.address;
}

static void prepare(const struct hupc__network_host *host)
{
	cpu_set_t set;
	hupc__ucx = (struct hupc__ucx){.host = *host, .mutex = PTHREAD_MUTEX_INITIALIZER};
	hupc__ucx.local_end = &hupc__ucx.local;
	hupc__ucx.crowded = !sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) < host->threads;
	hupc__ucx.peers = calloc((size_t)host->threads, sizeof *hupc__ucx.peers);
	for (int thread = 0; hupc__ucx.peers && thread < host->threads; thread++) {
		hupc__ucx.peers[thread].to_it = hupc__ucx_pair((uint32_t)host->mythread, (uint32_t)thread);
		hupc__ucx.peers[thread].from_it = hupc__ucx_pair((uint32_t)thread, (uint32_t)host->mythread);
	}
}

/* Releases what was opened, in reverse order. */
static void release_all(void)
{
	if (hupc__ucx.worker)
		hupc__ucx.api.ucp_worker_destroy(hupc__ucx.worker);
	if (hupc__ucx.context)
		hupc__ucx.api.ucp_cleanup(hupc__ucx.context);
	hupc__ucx.worker = NULL;
	hupc__ucx.context = NULL;
	for (int large = 0; large < 2; large++) {
		struct hupc__ucx_node *node;
		while ((node = hupc__ucx.free[large]) != NULL) {
			hupc__ucx.free[large] = node->next;
			free(node);
		}
	}
	hupc__ucx_forget_descriptors();
	hupc__ucx_handles_clear();
	free(hupc__ucx.address);
	free(hupc__ucx.peers);
	hupc__ucx.address = NULL;
	hupc__ucx.peers = NULL;
}

/* Disables the network in a child of fork, which has neither the progress thread nor connections of its own. */
static void forget(void)
{
	atomic_store(&hupc__ucx.forked, true);
}

static bool open_all(char *problem, size_t size)
{
	snprintf(problem, size, "not enough memory, or no thread for it");
	if (!hupc__ucx.peers)
		return false;
	hupc__ucx_note_descriptors();
	if (!has_devices(problem, size) || !hupc__ucx_load(problem, size) || !hupc__ucx_gate_close(problem, size) ||
		!open_context(problem, size) || !open_worker(problem, size))
		return false;
	hupc__ucx_close_on_exec();
	hupc__ucx_gate_open();
	hupc__ucx_silence();
	return !pthread_atfork(NULL, NULL, forget) && hupc__ucx_start_thread();
}

static bool said_bye(void *unused)
{
	(void)unused;
	return !hupc__ucx.bye && !hupc__ucx.outstanding;
}

static int64_t now_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

/* A peer that has received BYE does not report this thread's closed connection as lost. */
static void say_bye(void)
{
	const int64_t end = now_ms() + GOODBYE_MS;
	hupc__ucx_flush_batches();
	for (int thread = 0; thread < hupc__ucx.host.threads; thread++) {
		struct hupc__ucx_node *node;
		if (!hupc__ucx.peers[thread].ep)
			continue;
		node = hupc__ucx_node(false);
		node->header.kind = HUPC__UCX_BYE;
		hupc__ucx_post(thread, node, NULL, 0);
	}
	while (!said_bye(NULL) && now_ms() < end) {
		if (!hupc__ucx_step())
			sched_yield();
	}
}

static void close_all(void)
{
	if (!hupc__ucx_enter())
		return;
	hupc__ucx.closing = true;
	hupc__ucx_leave(true);
	hupc__ucx_stop_thread();

	hupc__ucx_enter();
	say_bye();
	hupc__ucx_disconnect();
	release_all();
	hupc__ucx.closer = pthread_self();
	hupc__ucx.closed = true;
	hupc__ucx_leave(true);
}

/* Opens the network. Its threads are not the program's: tools are notified, and no signals are delivered to them. */
static bool open_apart(char *problem, size_t size)
{
	void (*unmeasured)(int begin) = NULL;
	sigset_t all, before;
	bool opened;
	*(void **)&unmeasured = dlsym(RTLD_DEFAULT, "heddle_measure_exclude_threads");
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (unmeasured)
		unmeasured(1);
	opened = open_all(problem, size);
	if (unmeasured)
		unmeasured(0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return opened;
}

__attribute__((visibility("default"))) const struct hupc__network *hupc_network_open(
	const struct hupc__network_host *host, char *problem, size_t problem_size)
{
	static char listening[512];
	static struct hupc__network network = {
		.version = HUPC__NETWORK_VERSION,
		.get = hupc__ucx_get,
		.put = hupc__ucx_put,
		.get_begin = hupc__ucx_get_begin,
		.put_begin = hupc__ucx_put_begin,
		.test = hupc__ucx_test,
		.wait = hupc__ucx_wait_transfer,
		.outstanding = (const void *const volatile *)&hupc__ucx.dirty,
		.fence = hupc__ucx_fence,
		.send = hupc__ucx_send,
		.send_as_put = hupc__ucx_send_as_put,
		.ask = hupc__ucx_ask,
		.answer = hupc__ucx_answer,
		.wait_until = hupc__ucx_wait_until,
		.lock = hupc__ucx_lock,
		.unlock = hupc__ucx_unlock,
		.wake = hupc__ucx_wake,
		.thread_polls = hupc__ucx_thread_polls,
		.strangers = hupc__ucx_gate_dropped,
		.close = close_all,
	};
	if (host->version != HUPC__NETWORK_VERSION) {
		snprintf(problem, problem_size, "the plug-in is of another version of Heddle");
		return NULL;
	}
	prepare(host);
	if (!open_apart(problem, problem_size)) {
		release_all();
		return NULL;
	}
	hupc__ucx_write_listening(listening, sizeof listening);
	network.listening = listening;
	network.address = hupc__ucx.address;
	network.address_size = hupc__ucx.address_size;
	return &network;
}
