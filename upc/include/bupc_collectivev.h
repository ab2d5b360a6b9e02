/* SPDX-License-Identifier: BSD-3-Clause */
/* An extension of Berkeley UPC that is not there: says so in the place of errors about each of its names. */
#error bupc_collectivev.h: there are no bupc_allv_ functions here: use those of upc_collective.h on a shared array
