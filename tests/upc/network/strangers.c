/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connections of strangers to the ports of a real job of three processes. Usage: upc_network_strangers attack SEED
 * CONNECTIONS, or impostor. Each connection sends bytes of one of several kinds, chosen by the seed, while two ranks
 * exchange messages; all must be dropped and counted, and a rank that connects afterwards must be accepted. The
 * impostor listens at the port of a rank that has ended: ranks that connect to it must not read what it sends.
 *
 * 200,000 connections, without an error: upc_network_strangers attack 1 200000 (33 s on a busy machine).
 */
#include "upc/network/ucx_secret.h"
#include "world.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define PORTS 64
#define MOST 65536        /* bytes of a connection */
#define PATIENCE_MS 60000 /* also on a machine that is busy with other things */
#define UCX_MAGIC UINT64_C(0xCAFEBABE12345678)

static uint64_t seed = 1;
static unsigned connections;

struct port {
	int rank;
	struct sockaddr_in address;
};
static struct port ports[PORTS];
static int port_count;

static uint32_t chance(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % below;
}

/* Finds the IPv4 ports at which all ranks listen. */
static void find_ports(void)
{
	for (int rank = 0; rank < world.ranks; rank++) {
		char text[sizeof world.shared->listening[rank]], *rest = text;
		memcpy(text, world.shared->listening[rank], sizeof text);
		for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL && port_count < PORTS;) {
			struct port *port = &ports[port_count];
			char *colon = strrchr(word, ':');
			*colon = '\0';
			*port = (struct port){
				rank, {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(colon + 1))}};
			if (inet_pton(AF_INET, word, &port->address.sin_addr) == 1)
				port_count++;
		}
	}
	CHECK(port_count >= world.ranks);
}

static void fill(char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)chance(256);
}

static const char token_begins[8] = {'h', 'e', 'd', 'd', 'l', 'e', 'u', '1'};
static const char short_message[9] = {0x1f, 0x08};

/* Makes a token that is valid for another connection. */
static size_t make_token_of_another(char *bytes, int fd, const struct port *port)
{
	struct sockaddr_in own;
	socklen_t size = sizeof own;
	struct hupc__digest digest;
	CHECK(!getsockname(fd, (struct sockaddr *)&own, &size));
	const uint64_t words[3] = {1, (uint64_t)own.sin_port ^ 256, port->address.sin_port};
	digest = hupc__secret_digest((const unsigned char *)WORLD_SECRET, words, sizeof words);
	memcpy(bytes, token_begins, sizeof token_begins);
	memcpy(bytes + 8, &digest, sizeof digest);
	return 8 + sizeof digest;
}

/* Makes the bytes that a stranger sends; returns their number. */
static size_t make(char *bytes, int fd, const struct port *port)
{
	const uint64_t ucx = UCX_MAGIC;
	size_t size = 1 + chance(400);
	fill(bytes, size);
	switch (chance(7)) {
	case 0: /* random bytes */
		return size;
	case 1: /* begins like UCX, then announces the longest possible message */
		memcpy(bytes, &ucx, sizeof ucx);
		memset(bytes + 8, 0xff, 64);
		return 72;
	case 2: /* begins like UCX, then a short message for its connections */
		memcpy(bytes, &ucx, sizeof ucx);
		memcpy(bytes + 8, short_message, sizeof short_message);
		return 17 + size % 32;
	case 3: /* begins like a token */
		memcpy(bytes, token_begins, sizeof token_begins);
		return 8 + size % 64;
	case 4:
		memset(bytes, 0, size);
		return size;
	case 5:
		fill(bytes, MOST);
		return MOST;
	default:
		return make_token_of_another(bytes, fd, port);
	}
}

/* Returns true if the other side closes the connection without sending anything. */
static bool is_dropped(int fd)
{
	struct pollfd it = {.fd = fd, .events = POLLIN};
	char byte;
	CHECK(poll(&it, 1, PATIENCE_MS) == 1);
	return recv(fd, &byte, 1, 0) <= 0;
}

/* Makes one connection; returns true if the test observed that it was dropped. */
static bool attack(const struct port *port, char *bytes)
{
	const struct linger reset = {.l_onoff = 1};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	uint32_t way = chance(8);
	size_t size, first;
	bool seen;
	CHECK(fd >= 0);
	CHECK(!connect(fd, (const struct sockaddr *)&port->address, sizeof port->address));
	size = make(bytes, fd, port);
	first = way < 4 ? size : 1 + chance((uint32_t)size);
	CHECK(send(fd, bytes, first, MSG_NOSIGNAL) != 0);
	if (first < size)
		send(fd, bytes + first, size - first, MSG_NOSIGNAL); /* the connection may have been dropped */
	if (way == 7)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	seen = way < 6;
	if (seen)
		CHECK(is_dropped(fd));
	close(fd);
	return seen;
}

/* Counts for each rank, in its word of the shared memory, the connections observed as dropped. */
static void attack_all(void)
{
	static char bytes[MOST + 64];
	find_ports();
	for (unsigned i = 0; i < connections; i++) {
		const struct port *port = &ports[chance((uint32_t)port_count)];
		if (attack(port, bytes))
			atomic_fetch_add(&world.shared->stamp[port->rank], 1);
	}
	_exit(0);
}

/* ---- the job ---- */

static atomic_int told;

static void be_told(const char *address)
{
	CHECK(strchr(address, ':'));
	atomic_fetch_add(&told, 1);
}

static void answer_twice(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	uint64_t number;
	(void)from;
	CHECK(size == sizeof number && ticket);
	memcpy(&number, message, sizeof number);
	number *= 2;
	world.net->answer(ticket, &number, sizeof number);
}

static void ask(int thread, uint64_t number)
{
	uint64_t answer;
	world.net->ask(thread, &number, sizeof number, &answer, sizeof answer);
	CHECK(answer == 2 * number);
}

static void check_count(void)
{
	const unsigned long seen = (unsigned long)atomic_load(&world.shared->stamp[world.rank]);
	CHECK(seen > 0 && world.net->strangers() >= seen && world.net->strangers() <= connections);
	CHECK(atomic_load(&told) == 1);
}

static void be_attacked(void)
{
	uint64_t number = 0;
	pid_t child = 1;
	int status = 0;
	world.handle = answer_twice;
	world.stranger = be_told;
	world_barrier();
	if (world.rank == 0 && (child = fork()) == 0)
		attack_all();
	CHECK(child > 0);
	while (world.rank == 0 && waitpid(child, &status, WNOHANG) == 0)
		ask(1, number++);
	CHECK(!status);
	world_barrier();
	check_count();
	if (world.rank == 2) /* rank 2 opens its first connections */
		ask(0, 7), ask(1, 8);
	world_barrier();
	world.net->close();
}

/* ---- the impostor ---- */

static void note_loss(int thread, const char *why)
{
	CHECK(thread == 1 && *why);
	atomic_store(&world.shared->lost_rank[0], thread);
	world.net->wake();
}

static bool is_lost(void *unused)
{
	(void)unused;
	return atomic_load(&world.shared->lost_rank[0]) == 1;
}

static void listen_at(const struct port *port, int *fd)
{
	const int yes = 1;
	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	CHECK(!bind(*fd, (const struct sockaddr *)&port->address, sizeof port->address) && !listen(*fd, 8));
}

/* Sends bytes that would make UCX fail to whoever connects, until rank 0 has detected it. */
static void lie(void)
{
	struct pollfd listening[PORTS];
	char bytes[72];
	int count = 0;
	memset(bytes, 0xff, sizeof bytes);
	for (int i = 0; i < port_count; i++) {
		if (ports[i].rank != 1)
			continue;
		listen_at(&ports[i], &listening[count].fd);
		listening[count++].events = POLLIN;
	}
	world_barrier();
	while (!is_lost(NULL)) {
		CHECK(poll(listening, (nfds_t)count, 100) >= 0);
		for (int i = 0; i < count; i++) {
			int fd = listening[i].revents ? accept4(listening[i].fd, NULL, NULL, SOCK_CLOEXEC) : -1;
			if (fd >= 0)
				send(fd, bytes, sizeof bytes, MSG_NOSIGNAL); /* the connection stays open */
		}
	}
}

static void meet_an_impostor(void)
{
	const uint64_t number = 1;
	world.handle = answer_twice;
	world.lost = note_loss;
	find_ports();
	if (world.rank == 1) {
		world.net->close();
		lie();
	} else {
		world_barrier();
		world.net->send(1, &number, sizeof number);
		world.net->wait_until(is_lost, NULL);
		world.net->close();
	}
	world_barrier();
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "impostor"))
		return world_run(2, -1, meet_an_impostor) != 0;
	if (argc != 4 || strcmp(argv[1], "attack") != 0)
		return 2;
	seed = strtoull(argv[2], NULL, 10);
	connections = (unsigned)atoi(argv[3]);
	return world_run(3, -1, be_attacked) != 0;
}
