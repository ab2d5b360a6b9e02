/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC-IO is an optional part of UPC 1.3 that is not provided: one error, instead of errors about each of its names. */
#error upc_io.h: there is no UPC-IO here: let each thread call pread and pwrite at offsets of its own
