/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls with files: which file is used, and the bytes read and written. The functions of an operation are members of
 * heddle__mpi_operations.
 */
#ifndef HEDDLE_MODELS_MPI_FILES_H
#define HEDDLE_MODELS_MPI_FILES_H

#include "models/mpi/wrappers/mpi_effects.h"

void heddle__mpi_file_opened(struct heddle_mpi_operation *operation);
void heddle__mpi_file_closing(struct heddle_mpi_operation *operation);
void heddle__mpi_file_closed(struct heddle_mpi_operation *operation);
void heddle__mpi_file_accessing(struct heddle_mpi_operation *operation);
void heddle__mpi_file_accessed(struct heddle_mpi_operation *operation);

/*
 * Called when the operation completes a request that `function` made, with that status. Context: any thread, not
 * nested.
 */
void heddle__mpi_file_access_ends(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request,
	const struct heddle_mpi_function *function, const unsigned char *status);

#endif
