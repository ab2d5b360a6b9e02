/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "models/mpi/wrappers/mpi_exchange.h"

void heddle__mpi_exchanged(struct heddle_mpi_operation *operation)
{
	if (operation->messages)
		heddle__mpi->exchange(
			&operation->call, operation->message, operation->messages, heddle__mpi_parts(operation));
	operation->messages = 0;
}

void heddle__mpi_make_room_and_add(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int rank,
	enum heddle_exchange_kind kind, uint64_t bytes)
{
	heddle__mpi_exchanged(operation);
	add_message(operation, comm, rank, kind, bytes);
}

void heddle__mpi_exchange_with_file(
	struct heddle_mpi_operation *operation, uint32_t name, enum heddle_exchange_kind kind, uint64_t bytes)
{
	exchange(operation, NULL, -1, kind, bytes);
	last_message(operation)->communicator = name;
}

size_t heddle__mpi_counted(const struct heddle_mpi_operation *operation)
{
	size_t counted = 0;
	for (size_t i = 0; i < operation->messages; i++)
		counted += operation->message[i].kind != 0;
	return counted;
}
