/* SPDX-License-Identifier: BSD-3-Clause */
/* Some of the numbers of Berkeley UPC 2020.4, and of GNU and Clang UPC. */
#ifndef STANDIN_GASP_UPC_H
#define STANDIN_GASP_UPC_H
typedef void gasp_upc_PTS_t;
typedef void *gasp_upc_nb_handle_t;
#if STANDIN_BERKELEY
#define GASP_C_FUNC 1000 + 23
#define GASP_UPC_COLLECTIVE_EXIT 1000 + 210
#define GASP_UPC_MEMGET 1000 + 30
#define GASP_UPC_GET 1000 + 111
#define GASP_BUPC_STATIC_SHARED 1000 + 140
#define GASP_UPC_USEREVT_START 100
#define GASP_UPC_USEREVT_END 999
#define GASP_UPC_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)
#define GASP_UPC_NBI_TRIVIAL ((gasp_upc_nb_handle_t)-1)
#else
#define GASP_C_FUNC 1
#define GASP_UPC_COLLECTIVE_EXIT 5
#define GASP_UPC_MEMGET 23
#define GASP_UPC_GET 26
#define GASP_UPC_USEREVT_START 1000
#define GASP_UPC_USEREVT_END 1999
#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)
#endif
#endif
