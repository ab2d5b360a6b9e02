/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX's calls of connect, accept, send and recv are redirected to this file (ucx_hooks.c). The connecting side sends a
 * token before UCX's first byte; the accepting side answers with a proof, which the connecting side checks before UCX
 * reads. Both are digests of the connection's two ports, so neither can be used for another connection.
 *
 * The kernel delivers a connection when its first bytes have arrived (TCP_DEFER_ACCEPT), and the token is sent at once:
 * it has arrived completely or not at all. Therefore the gate never waits for a peer, and a stranger that sends nothing
 * uses no descriptor.
 *
 * Context: `accept` in UCX's own thread or with the lock held, the others with the lock held. Other users of UCX in the
 * process, such as MPI, are recognized by their sockets, and their calls are passed on unchanged.
 */
#include "upc/network/ucx_gate.h"
#include "upc/network/ucx.h"
#include "upc/network/ucx_secret.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DESCRIPTORS (1 << 20) /* Linux's default limit of descriptors */
#define AT_A_TIME 64          /* strangers that are dropped in one call of UCX */
#define SILENT_S 20           /* how long the kernel keeps a connection on which nothing arrives */
#define SCARCE_NS 5000000     /* how long to wait if no descriptors are available */

enum { TOKEN_DUE = 1, PROOF_DUE = 2 };          /* for a connection that this side made */
enum purpose { TOKEN = 1, PROOF, PAIR, HELLO }; /* what a digest is for */

struct token {
	char magic[8];
	struct hupc__digest digest;
};
static const char magic[8] = {'h', 'e', 'd', 'd', 'l', 'e', 'u', '1'};

static unsigned char due[DESCRIPTORS]; /* by descriptor; pages that are not touched cost nothing */
static atomic_bool opened;
static atomic_ulong dropped;
static _Thread_local bool accepting; /* UCX's call in progress has accepted a connection */

static struct hupc__digest digest_of(enum purpose purpose, uint64_t a, uint64_t b)
{
	const uint64_t words[3] = {purpose, a, b};
	return hupc__secret_digest(hupc__ucx.host.secret, words, sizeof words);
}

uint64_t hupc__ucx_pair(uint32_t from, uint32_t to)
{
	return digest_of(PAIR, from, to).word[0];
}

uint64_t hupc__ucx_seal(uint32_t from, const void *address, size_t size)
{
	struct hupc__digest digest = hupc__secret_digest(hupc__ucx.host.secret, address, size);
	return digest_of(HELLO, from, digest.word[0] ^ digest.word[1]).word[0];
}

static in_port_t port_of(int (*name)(int, struct sockaddr *, socklen_t *), int fd)
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof address;
	return name(fd, (struct sockaddr *)&address, &size) ? 0 : hupc__ucx_port(&address);
}

static int own_name(int fd, struct sockaddr *address, socklen_t *size)
{
	return getsockname(fd, address, size);
}

static int other_name(int fd, struct sockaddr *address, socklen_t *size)
{
	return getpeername(fd, address, size);
}

/* ---- the side that connects ---- */

static int connect_guarded(int fd, const struct sockaddr *address, socklen_t size)
{
	bool internet = address->sa_family == AF_INET || address->sa_family == AF_INET6;
	if (fd >= 0 && fd < DESCRIPTORS)
		due[fd] = internet && hupc__ucx_held() ? TOKEN_DUE | PROOF_DUE : 0;
	else if (internet && hupc__ucx_held())
		return errno = EMFILE, -1;
	return connect(fd, address, size);
}

/* The send buffer of a new connection has room for the token, so it is not sent in parts. */
static bool send_token(int fd)
{
	struct token token = {.digest = digest_of(TOKEN, port_of(own_name, fd), port_of(other_name, fd))};
	ssize_t sent;
	memcpy(token.magic, magic, sizeof magic);
	sent = send(fd, &token, sizeof token, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (sent == sizeof token)
		due[fd] &= (unsigned char)~TOKEN_DUE;
	else if (sent >= 0)
		errno = ECONNABORTED;
	return sent == sizeof token;
}

static bool is_due(int fd, int what)
{
	return fd >= 0 && fd < DESCRIPTORS && due[fd] & what;
}

static ssize_t send_guarded(int fd, const void *data, size_t size, int flags)
{
	if (__builtin_expect(is_due(fd, TOKEN_DUE), 0) && !send_token(fd))
		return -1;
	return send(fd, data, size, flags);
}

static ssize_t sendmsg_guarded(int fd, const struct msghdr *message, int flags)
{
	if (__builtin_expect(is_due(fd, TOKEN_DUE), 0) && !send_token(fd))
		return -1;
	return sendmsg(fd, message, flags);
}

/* Returns the result for `recv`: 1 if the proof was right and UCX may read; 0 at the end, or if it was wrong. */
static ssize_t take_proof(int fd)
{
	struct hupc__digest got, right = digest_of(PROOF, port_of(own_name, fd), port_of(other_name, fd));
	ssize_t size = recv(fd, &got, sizeof got, MSG_PEEK | MSG_DONTWAIT);
	if (size <= 0)
		return size;
	if (size < (ssize_t)sizeof got)
		return errno = EAGAIN, -1;
	if (!hupc__secret_equal(&got, &right) || recv(fd, &got, sizeof got, MSG_DONTWAIT) != sizeof got) {
		shutdown(fd, SHUT_RDWR);
		return 0;
	}
	due[fd] &= (unsigned char)~PROOF_DUE;
	return 1;
}

static ssize_t recv_guarded(int fd, void *data, size_t size, int flags)
{
	if (__builtin_expect(is_due(fd, PROOF_DUE), 0)) {
		ssize_t result = take_proof(fd);
		if (result <= 0)
			return result;
	}
	return recv(fd, data, size, flags);
}

/* ---- the side that accepts ---- */

/* Returns true if the peer has sent the right token. Answers with the proof. */
static bool admit(int fd)
{
	in_port_t client = port_of(other_name, fd), server = port_of(own_name, fd);
	struct hupc__digest right = digest_of(TOKEN, client, server), proof = digest_of(PROOF, client, server);
	struct token token;
	if (fd >= DESCRIPTORS || recv(fd, &token, sizeof token, MSG_DONTWAIT) != sizeof token ||
		memcmp(token.magic, magic, sizeof magic) != 0 || !hupc__secret_equal(&token.digest, &right))
		return false;
	due[fd] = 0;
	return send(fd, &proof, sizeof proof, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof proof;
}

static void drop(int fd)
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof address;
	char text[64] = "unknown";
	if (!getpeername(fd, (struct sockaddr *)&address, &size))
		hupc__ucx_write_address(&address, text, sizeof text);
	close(fd);
	if (atomic_fetch_add(&dropped, 1) == 0 && hupc__ucx.host.stranger)
		hupc__ucx.host.stranger(text);
}

/* Accepts for another user of UCX. The descriptor's number may have been that of a connection that failed. */
static int accept_unguarded(int fd, struct sockaddr *address, socklen_t *size)
{
	int connection = accept(fd, address, size);
	if (connection >= 0 && connection < DESCRIPTORS)
		due[connection] = 0;
	return connection;
}

/* UCX would stop listening after an error. EAGAIN makes it call again, because its descriptor stays readable. */
static int accept_guarded(int fd, struct sockaddr *address, socklen_t *size)
{
	const struct timespec scarce = {.tv_nsec = SCARCE_NS};
	const socklen_t room = size ? *size : 0;
	accepting = false;
	if (atomic_load(&opened) && !hupc__ucx_listens(fd))
		return accept_unguarded(fd, address, size);
	for (int i = 0; atomic_load(&opened) && i < AT_A_TIME; i++) {
		int connection;
		if (size)
			*size = room;
		connection = accept4(fd, address, size, SOCK_CLOEXEC);
		if (connection < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS))
			nanosleep(&scarce, NULL);
		if (connection < 0)
			break;
		if (admit(connection))
			return accepting = true, connection;
		drop(connection);
	}
	errno = EAGAIN;
	return -1;
}

/* ---- the gate ---- */

bool hupc__ucx_gate_close(char *problem, size_t size)
{
	static const struct hupc__ucx_hook hooks[] = {
		{"accept", (const void *)accept_guarded, true},
		{"connect", (const void *)connect_guarded, true},
		{"recv", (const void *)recv_guarded, true},
		{"send", (const void *)send_guarded, true},
		{"sendmsg", (const void *)sendmsg_guarded, false},
	};
	const char *missing;
	atomic_store(&opened, false);
	missing = hupc__ucx_hook(hooks, sizeof hooks / sizeof *hooks);
	if (missing)
		snprintf(problem, size, "this version of UCX cannot check who connects (%s)", missing);
	return !missing;
}

static void defer(int fd)
{
	const int seconds = SILENT_S;
	setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
}

void hupc__ucx_gate_open(void)
{
	hupc__ucx_each_listening(defer);
	atomic_store(&opened, true);
}

/* If two threads connect to each other at the same time, one of them closes its connection, and UCX warns. */
bool hupc__ucx_gate_accepting(void)
{
	return accepting;
}

unsigned long hupc__ucx_gate_dropped(void)
{
	return atomic_load(&dropped);
}
