/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes that a rank contributes to a collective, and that it gets in its receive buffer, by the table's column "moved".
 */
#include "models/mpi/wrappers/mpi_collectives.h"

#include "core/base/likely.h"
#include "models/mpi/wrappers/mpi_arguments.h"

/* What one side of a collective moves; see the table. */
struct side {
	const char *moved; /* two letters */
	int8_t buffer, count, type;
	bool counts, types;
	int ranks, own; /* members or neighbours; members of the own group */
	uint64_t absent;
};

static bool is_root(const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm)
{
	int root = rank_at(operation, operation->function->at.root);
	return comm->inter ? root == heddle__mpi_abi.root : root == comm->rank;
}

/* Returns true if the rank takes part on that side. */
static bool takes_part(const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, char which)
{
	int8_t at = operation->function->at.root;
	if (which == 'f')
		return comm->rank != 0;
	if (at < 0)
		return true;
	if (comm->inter && rank_at(operation, at) == heddle__mpi_abi.proc_null)
		return false;
	bool root = is_root(operation, comm);
	if (comm->inter && root) /* the members of its own group do not take part */
		return which == 'r';
	return which == 'a' || (which == 'r') == root;
}

static bool is_absent(const struct side *side, int rank)
{
	return rank < 64 && side->absent >> rank & 1;
}

static uint64_t sum_of_counts(const struct heddle_mpi_operation *operation, const struct side *side, int ranks)
{
	uintptr_t counts = operation->words[side->count], types = operation->words[side->type];
	uint64_t bytes = 0, size = 0;
	for (int i = 0; counts && i < ranks; i++) {
		int64_t count = number_in(operation, counts, i);
		if (count <= 0 || is_absent(side, i))
			continue;
		if (side->types)
			size = heddle__mpi_type_size(heddle__mpi_handle_at(types, (size_t)i));
		else if (!size)
			size = heddle__mpi_type_size(types);
		bytes += (uint64_t)count * size;
	}
	return bytes;
}

static uint64_t own_count(
	const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, const struct side *side)
{
	return bytes_of(number_in(operation, operation->words[side->count], comm->rank), operation->words[side->type]);
}

static uint64_t side_bytes(
	const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, const struct side *side)
{
	if (side->count < 0 || side->type < 0 || !takes_part(operation, comm, side->moved[0]))
		return 0;
	switch (side->moved[1]) {
	case '1':
		return side->counts ? own_count(operation, comm, side) : bytes_at(operation, side->count, side->type);
	case '*':
		return bytes_at(operation, side->count, side->type) *
		       (uint64_t)(side->ranks - __builtin_popcountll(side->absent));
	case 'm':
		return bytes_at(operation, side->count, side->type) * (uint64_t)side->own;
	case '+':
		return sum_of_counts(operation, side, side->ranks);
	case 's':
		return sum_of_counts(operation, side, side->own);
	case 'i':
		return own_count(operation, comm, side);
	default:
		return 0;
	}
}

/* Returns the side of the contribution, or that of the received data. */
static struct side side_of(
	const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, bool receives)
{
	const struct heddle_mpi_function *function = operation->function;
	const struct heddle_mpi_arguments *at = &function->at;
	struct side side = {function->moved, at->send, at->send_count, at->send_type, at->send_counts, at->send_types,
		.ranks = comm->out};
	if (receives)
		side = (struct side){function->moved + 2, at->receive, at->receive_count, at->receive_type,
			at->receive_counts, at->receive_types, .ranks = comm->in};
	if (at->neighbours)
		side.absent = comm->absent;
	else
		side.ranks = comm->size;
	side.own = comm->own_size;
	return side;
}

static bool is_in_place(
	const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, const struct side *side)
{
	return side->buffer >= 0 && operation->words[side->buffer] == heddle__mpi_abi.in_place &&
	       takes_part(operation, comm, side->moved[0]);
}

/* If a collective is in place, the rank's contribution is in the receive buffer, and described by its arguments. */
void heddle__mpi_count_collective(const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm,
	struct heddle_mpi_moved *moved)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	if (!comm || !*operation->function->moved || (at->send_count < 0 && at->receive_count < 0))
		return;
	if (HEDDLE_LIKELY(at->mirrored)) { /* in place or not */
		moved->bytes_sent = moved->bytes_received = bytes_at(operation, at->send_count, at->send_type);
		return;
	}
	struct side out = side_of(operation, comm, false), in = side_of(operation, comm, true);
	bool in_in_place = is_in_place(operation, comm, &in);
	if (in_in_place) { /* the root of a scatter receives its own part */
		struct side own = out;
		own.moved = "a1";
		moved->bytes_received = side_bytes(operation, comm, &own);
	} else {
		moved->bytes_received = side_bytes(operation, comm, &in);
	}
	if (is_in_place(operation, comm, &out)) {
		in.moved = out.moved;
		out = in;
	}
	moved->bytes_sent = side_bytes(operation, comm, &out);
}
