/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Digests that only the processes of a job can compute: they use the job's secret, which the launcher distributes. They
 * authenticate connections and messages; they do not encrypt.
 */
#ifndef HEDDLE_UPC_NETWORK_UCX_SECRET_H
#define HEDDLE_UPC_NETWORK_UCX_SECRET_H

#include "upc/network/network.h"

struct hupc__digest {
	uint64_t word[2];
};

/* Computes SipHash-2-4 with 128 bits of result, a keyed hash made for this purpose. Context: any. */
struct hupc__digest hupc__secret_digest(const unsigned char secret[HUPC__SECRET_SIZE], const void *data, size_t size);

/* Compares in a time that does not depend on the contents. Context: any. */
bool hupc__secret_equal(const struct hupc__digest *a, const struct hupc__digest *b);

#endif
