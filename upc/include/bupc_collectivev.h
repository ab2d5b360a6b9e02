/* SPDX-License-Identifier: BSD-3-Clause */
/* An extension of Berkeley UPC that is not provided: one error, instead of errors about each of its names. */
#error bupc_collectivev.h: no bupc_allv_ functions are here: name the folder of the one that Berkeley UPC has with -I
