/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank contributes to a collective, and what it gets in its receive buffer, by the table's column "moved". */
#include "models/mpi/wrappers/mpi_collectives.h"

#include "models/mpi/wrappers/mpi_arguments.h"

/* What one side of a collective moves; see the table. */
struct side {
	const char *moved; /* two letters */
	int8_t buffer, count, type;
	bool counts, types;
	int ranks; /* members or neighbours */
};

static bool is_root(const struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm)
{
	int root = rank_at(operation, operation->function->at.root);
	return comm->inter ? root == heddle__mpi_abi.root : root == comm->rank;
}

/* Whether the rank takes part on that side. */
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

static uint64_t sum_of_counts(const struct heddle_mpi_operation *operation, const struct side *side)
{
	uintptr_t counts = operation->words[side->count], types = operation->words[side->type];
	uint64_t bytes = 0, size = 0;
	for (int i = 0; counts && i < side->ranks; i++) {
		int64_t count = number_in(operation, counts, i);
		if (count <= 0)
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
		return bytes_at(operation, side->count, side->type) * (uint64_t)side->ranks;
	case '+':
		return sum_of_counts(operation, side);
	case 'i':
		return own_count(operation, comm, side);
	default:
		return 0;
	}
}

/* In place, what a rank contributes is in the receive buffer, and described there. */
void heddle__mpi_count_collective(const struct heddle_mpi_operation *operation, struct heddle_mpi_moved *moved)
{
	const struct heddle_mpi_function *function = operation->function;
	const struct heddle_mpi_arguments *at = &function->at;
	const struct heddle_mpi_comm *comm = comm_of(operation);
	if (!comm || !*function->moved)
		return;
	struct side out = {
		function->moved, at->send, at->send_count, at->send_type, at->send_counts, at->send_types, comm->out};
	struct side in = {function->moved + 2, at->receive, at->receive_count, at->receive_type, at->receive_counts,
		at->receive_types, comm->in};
	bool out_in_place = operation->words[out.buffer] == heddle__mpi_abi.in_place;
	bool in_in_place = operation->words[in.buffer] == heddle__mpi_abi.in_place;
	if (out_in_place && takes_part(operation, comm, out.moved[0])) {
		out = in;
		out.moved = function->moved;
	}
	moved->bytes_sent = side_bytes(operation, comm, &out);
	if (in_in_place) { /* the root of a scatter */
		struct side own = {"a1", at->send, at->send_count, at->send_type, at->send_counts, at->send_types, 1};
		moved->bytes_received = side_bytes(operation, comm, &own);
	} else {
		moved->bytes_received = side_bytes(operation, comm, &in);
	}
}
