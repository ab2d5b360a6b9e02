/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The network plug-in on UCX: what its files share. All data is sent as active messages of one kind, over one endpoint
 * for each pair of threads: no remote memory access, no registration. All calls of UCX are made with the lock held.
 */
#ifndef HEDDLE_UPC_NETWORK_UCX_H
#define HEDDLE_UPC_NETWORK_UCX_H

#include "upc/network/network.h"
#include "upc/network/ucx_order.h"
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <ucp/api/ucp.h>

#define HUPC__UCX_CHUNK 261632  /* bytes of data in a message, which fills one segment of TCP_TX_SEG_SIZE */
#define HUPC__UCX_BATCH 8192    /* bytes of small puts that are sent together */
#define HUPC__UCX_ADDRESS 16384 /* bytes of an address of UCX */
#define HUPC__UCX_SPIN 50000    /* ns after the last event for which a thread polls before it sleeps */

/* The functions of libucp, which hupc__ucx_load loads; it then restores the signal handlers that libucp replaced. */
#define HUPC__UCX_FUNCTIONS(X)            \
	X(ucp_get_version)                \
	X(ucp_init_version)               \
	X(ucp_cleanup)                    \
	X(ucp_config_read)                \
	X(ucp_config_modify)              \
	X(ucp_config_release)             \
	X(ucp_worker_create)              \
	X(ucp_worker_destroy)             \
	X(ucp_worker_get_address)         \
	X(ucp_worker_release_address)     \
	X(ucp_worker_get_efd)             \
	X(ucp_worker_arm)                 \
	X(ucp_worker_progress)            \
	X(ucp_worker_set_am_recv_handler) \
	X(ucp_ep_create)                  \
	X(ucp_ep_close_nbx)               \
	X(ucp_am_send_nbx)                \
	X(ucp_request_free)               \
	X(ucp_request_check_status)       \
	X(ucs_status_string)

struct hupc__ucx_api {
#define HUPC__UCX_MEMBER(name) __typeof__(&(name)) name;
	HUPC__UCX_FUNCTIONS(HUPC__UCX_MEMBER)
#undef HUPC__UCX_MEMBER
};

enum hupc__ucx_kind {
	HUPC__UCX_HELLO,  /* data: the sender's address. The first message of an endpoint. */
	HUPC__UCX_GET,    /* of `size` bytes at `offset`; answered by DATA, in chunks */
	HUPC__UCX_DATA,   /* from `offset` of the sender, for transfer `id` */
	HUPC__UCX_PUT,    /* data for `offset` */
	HUPC__UCX_PUTS,   /* data: records of small puts; `size`: not 0 if the message is also a FENCE */
	HUPC__UCX_FENCE,  /* answered by FENCED with the same `id`, and with `seen` */
	HUPC__UCX_FENCED, /* `id`: that of a waiting fence, or 0 */
	HUPC__UCX_SEND,
	HUPC__UCX_ASK, /* `id`: the question, for ANSWER */
	HUPC__UCX_ANSWER,
	HUPC__UCX_BYE, /* the sender closes its network */
	HUPC__UCX_KINDS,
};

struct hupc__ucx_header {
	uint32_t from, kind;
	uint64_t pair;   /* proves that the sender is of this job, and that this receiver is meant */
	uint64_t number; /* of the messages between these two, from 0 */
	uint64_t seen;   /* how many messages the sender has handled from the receiver */
	uint64_t id, offset, size;
};

/* A message while UCX may read it. */
struct hupc__ucx_node {
	struct hupc__ucx_header header;
	struct hupc__ucx_node *next;
	unsigned *unfinished; /* counts sends that are not complete; or NULL */
	uint32_t used;        /* bytes in use in `data` */
	bool large;           /* `data` has room for a batch; otherwise it has none */
	_Alignas(8) char data[];
};

struct hupc__ucx_peer {
	ucp_ep_h ep;
	uint64_t to_it, from_it; /* `pair` of messages */
	bool dead;               /* the connection was lost */
	bool gone;               /* it has sent BYE */
	bool broken;             /* it has sent an invalid message; further ones are ignored */
	bool dirty, batched;
	uint64_t sent;                /* messages sent to it */
	uint64_t confirmed;           /* how many of them it is known to have handled */
	uint64_t last_put;            /* `sent` after the last put */
	struct hupc__ucx_order order; /* messages from it */
	struct hupc__ucx_node *batch; /* small puts to be sent */
	struct hupc__ucx_peer *next_dirty, **dirty_back, *next_batched;
};

/* A waiting thread, on that thread's stack. */
struct hupc__ucx_waiter {
	bool (*done)(void *data);
	void *data;
	atomic_uint state; /* 0 polls, 1 sleeps, 2 is done */
	struct hupc__ucx_waiter *next, **back;
};

struct hupc__ucx {
	struct hupc__network_host host;
	struct hupc__ucx_api api;
	void *library; /* libucp */
	ucp_context_h context;
	ucp_worker_h worker;
	struct hupc__ucx_peer *peers; /* by thread */
	struct hupc__ucx_peer *dirty, *batched;
	struct hupc__ucx_node *free[2];            /* by `large` */
	struct hupc__ucx_node *local, **local_end; /* messages to this thread */
	struct hupc__ucx_waiter *waiters;
	unsigned outstanding; /* sends that UCX has not completed */
	unsigned getting;     /* transfers that wait for data */
	unsigned bye;         /* peers with an endpoint that have neither sent BYE nor been lost; used at the end */
	bool changed;         /* waiters may be done */
	bool delivering;      /* messages to this thread are being delivered */
	bool closing, closed; /* `closed`: what the lock protects must no longer be used */
	pthread_t closer;
	char *address;
	size_t address_size;
	pthread_t thread;
	int efd, wakefd;
	bool crowded; /* fewer processors than threads */
	atomic_bool forked, stop;

	/* The lock, and the number of threads that poll. */
	pthread_mutex_t mutex;
	_Atomic(pthread_t) owner;
	atomic_uint contenders, spinners, sleepers, polls, parked;
};

extern struct hupc__ucx hupc__ucx;

/* ucx_library.c. Context: open and close, main thread. */
bool hupc__ucx_load(char *problem, size_t problem_size);
void hupc__ucx_silence(void); /* suppresses UCX's messages, unless the user requests them by UCX_LOG_LEVEL */

/* ucx_descriptors.c: makes exec close UCX's descriptors. Context: lock held. */
void hupc__ucx_note_descriptors(void);
void hupc__ucx_close_on_exec(void);
void hupc__ucx_forget_descriptors(void);

/* ucx_descriptors.c: where UCX listens; known from the end of opening until closing. Context: any thread. */
bool hupc__ucx_listens(int fd);
void hupc__ucx_each_listening(void (*visit)(int fd));
void hupc__ucx_write_listening(char *text, size_t size); /* "192.0.2.1:40000 127.0.0.1:40001" */
void hupc__ucx_write_address(const struct sockaddr_storage *address, char *text, size_t size);
in_port_t hupc__ucx_port(const struct sockaddr_storage *address);

/*
 * ucx_gate.c. hupc__ucx_pair: proves to thread `to` that a message is from thread `from`. hupc__ucx_seal: proves that
 * an address is that of thread `from`. Context: any.
 */
uint64_t hupc__ucx_pair(uint32_t from, uint32_t to);
uint64_t hupc__ucx_seal(uint32_t from, const void *address, size_t size);

/*
 * ucx_handles.c: numbers that represent this process's objects in messages. A number belongs to one thread, and only
 * messages of that thread may use it; it also has one kind. A number that was freed is not valid again. Context: lock
 * held.
 */
enum hupc__ucx_handle { HUPC__UCX_NO_HANDLE, HUPC__UCX_TRANSFER, HUPC__UCX_WAITING_FENCE, HUPC__UCX_QUESTION };
uint64_t hupc__ucx_handle(enum hupc__ucx_handle kind, int thread, void *object);      /* never 0 */
void *hupc__ucx_handle_find(enum hupc__ucx_handle kind, int thread, uint64_t handle); /* NULL: none */
void hupc__ucx_handle_free(uint64_t handle);
void hupc__ucx_handles_clear(void);

/* Returns true if this thread has the lock. Context: any thread. */
static inline bool hupc__ucx_held(void)
{
	return atomic_load_explicit(&hupc__ucx.owner, memory_order_relaxed) == pthread_self();
}

/* ucx_wait.c. Context: any thread. */
int64_t hupc__ucx_now(void);                                            /* ns */
void hupc__ucx_relax(void);                                             /* pauses between polls */
void hupc__ucx_sleep_on(atomic_uint *word, unsigned value, int64_t ns); /* may return spuriously */
void hupc__ucx_wake_one(atomic_uint *word);
bool hupc__ucx_yield(void); /* false: did not yield, as a recent yield took long; the caller sleeps instead */

/*
 * ucx_progress.c: the lock and waiting. `enter` returns false if this thread already has the lock (or in a child of
 * fork, which has no network); pass its result to `leave`. `leave` delivers messages to this thread, and ends waits
 * that are over.
 */
bool hupc__ucx_enter(void);
void hupc__ucx_leave(bool entered);

/* Waits until `done`. The caller has entered the lock, which is not held afterwards. */
void hupc__ucx_wait(bool (*done)(void *data), void *data);

/*
 * The same wait in two steps: before a thread sends a question, it announces that it will poll for the answer, so that
 * the answer does not wake the progress thread, too. The caller has entered the lock before both.
 */
void hupc__ucx_announce_wait(void);
void hupc__ucx_wait_announced(bool (*done)(void *data), void *data);

/* One round of progress. Returns true if there was an event. Context: lock held, not in a handler. */
bool hupc__ucx_step(void);

/* ucx_thread.c: the progress thread. */
void hupc__ucx_unpark(void); /* no thread polls any more */
void hupc__ucx_nudge(void);  /* makes it check for work */

/* Context: open and close. */
bool hupc__ucx_start_thread(void);
void hupc__ucx_stop_thread(void);

/* ucx_peers.c. Context: lock held, also handler. */
void hupc__ucx_break(int thread, const char *why); /* handles an invalid message of the thread */
struct hupc__ucx_node *hupc__ucx_node(bool large);
void hupc__ucx_release(struct hupc__ucx_node *node);
void hupc__ucx_post(int thread, struct hupc__ucx_node *node, const void *data, size_t size);
void hupc__ucx_reach(int thread); /* creates its endpoint, if it has none */
void hupc__ucx_flush_batch(struct hupc__ucx_peer *peer);
void hupc__ucx_flush_batches(void);
void hupc__ucx_greet(int thread, const void *address);
void hupc__ucx_disconnect(void);

/* ucx_transfers.c. Return false if the message is invalid; nothing was done then. Context: handler. */
bool hupc__ucx_take_get(const struct hupc__ucx_header *header);
bool hupc__ucx_take_data(const struct hupc__ucx_header *header, const void *data, size_t size);
bool hupc__ucx_take_put(const struct hupc__ucx_header *header, const void *data, size_t size);
bool hupc__ucx_take_puts(const struct hupc__ucx_header *header, const void *data, size_t size);
bool hupc__ucx_take_fence(const struct hupc__ucx_header *header);
bool hupc__ucx_take_fenced(const struct hupc__ucx_header *header);
void hupc__ucx_mark_dirty(struct hupc__ucx_peer *peer); /* a fence must ask this peer */

/* ucx_local.c: passes a message to the runtime. Returns NULL, or the reason why it is invalid. Context: handler. */
const char *hupc__ucx_take_message(const struct hupc__ucx_header *header, const void *data, size_t size);
void hupc__ucx_deliver_local(void); /* delivers all messages of this thread to itself. Context: lock held */

/* ucx_messages.c */
ucs_status_t hupc__ucx_arrived(void *unused, const void *header, size_t header_size, void *data, size_t size,
	const ucp_am_recv_param_t *param);

/* The functions of the interface. */
void hupc__ucx_get(int thread, uint64_t offset, void *to, uint64_t size);
void hupc__ucx_put(int thread, uint64_t offset, const void *from, uint64_t size);
hupc__transfer hupc__ucx_get_begin(int thread, uint64_t offset, void *to, uint64_t size);
hupc__transfer hupc__ucx_put_begin(int thread, uint64_t offset, const void *from, uint64_t size);
bool hupc__ucx_test(hupc__transfer transfer);
void hupc__ucx_wait_transfer(hupc__transfer transfer);
void hupc__ucx_fence(void);
void hupc__ucx_send(int thread, const void *message, size_t size);
void hupc__ucx_send_as_put(int thread, const void *message, size_t size);
void hupc__ucx_ask(int thread, const void *question, size_t size, void *answer, size_t answer_size);
void hupc__ucx_answer(const struct hupc__ticket *ticket, const void *answer, size_t size);
void hupc__ucx_wait_until(bool (*done)(void *data), void *data);
void hupc__ucx_lock(void);
void hupc__ucx_unlock(void);
void hupc__ucx_wake(void);
unsigned long hupc__ucx_thread_polls(void);

#endif
