/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of MPI, by name, arguments and effect: the only list. A new function is a line here. Written from the
 * text of the MPI standard, versions 1.1 to 4.1; a test compares it with the installed headers.
 */
#ifndef HEDDLE_MODELS_MPI_TABLE_H
#define HEDDLE_MODELS_MPI_TABLE_H

/*
 * FUNCTION(name without MPI_, number of arguments, their kinds, effect, category, WIDE or NARROW)
 * FAMILY(name, name in lower case, number of arguments, their kinds, what is moved, category, WIDE or NARROW)
 *
 * WIDE: there is a large-count twin, NAME_c. A FAMILY is a collective that exists as NAME, as Iname with a request
 * (category COMMUNICATION), and as NAME_init with an info and a request.
 *
 * Kinds, a letter for each argument (an upper-case one is an array or set by the function, where both exist):
 *   b send buffer     v receive buffer  x buffer that is either, by the rank   n count         N counts[]
 *   D displacements[] t datatype        T datatypes[]    d destination, target  s source       r root
 *   g tag             c communicator    C new one*       q request*             Q requests[]   h request
 *   S status*         A statuses[]      F flag*          X number or index*     I info         G group
 *   w window          W window new one* f file           o operation            i int          l 64 bits
 *   m message*        p any pointer     k number of partitions, each of as many elements as the count of 64 bits says
 *
 * Moved, two letters for what the rank sends and two for what it receives: which ranks (a all, r the root, o others
 * than the root, f all but the first), and how much (0 nothing, 1 as the arguments say, * that for each rank or
 * neighbour, + the sum of counts, i the rank's own count; m and s are * and + over the ranks of the own group, which
 * differs from the other one of an intercommunicator); then x, if no rank leaves the call before all have entered it,
 * or n, if neighbours are meant.
 *
 * Effects are in mpi_effects.h.
 */
#define HEDDLE_MPI_TABLE(FUNCTION, FAMILY)                                                         \
	FUNCTION(Send, 6, "bntdgc", MESSAGE, COMMUNICATION, WIDE)                                  \
	FUNCTION(Bsend, 6, "bntdgc", MESSAGE, COMMUNICATION, WIDE)                                 \
	FUNCTION(Ssend, 6, "bntdgc", MESSAGE, COMMUNICATION, WIDE)                                 \
	FUNCTION(Rsend, 6, "bntdgc", MESSAGE, COMMUNICATION, WIDE)                                 \
	FUNCTION(Recv, 7, "vntsgcS", MESSAGE, COMMUNICATION, WIDE)                                 \
	FUNCTION(Sendrecv, 12, "bntdgvntsgcS", MESSAGE, COMMUNICATION, WIDE)                       \
	FUNCTION(Sendrecv_replace, 9, "bntdgsgcS", MESSAGE, COMMUNICATION, WIDE)                   \
	FUNCTION(Isend, 7, "bntdgcq", MESSAGE, COMMUNICATION, WIDE)                                \
	FUNCTION(Ibsend, 7, "bntdgcq", MESSAGE, COMMUNICATION, WIDE)                               \
	FUNCTION(Issend, 7, "bntdgcq", MESSAGE, COMMUNICATION, WIDE)                               \
	FUNCTION(Irsend, 7, "bntdgcq", MESSAGE, COMMUNICATION, WIDE)                               \
	FUNCTION(Irecv, 7, "vntsgcq", MESSAGE, COMMUNICATION, WIDE)                                \
	FUNCTION(Isendrecv, 12, "bntdgvntsgcq", MESSAGE, COMMUNICATION, WIDE)                      \
	FUNCTION(Isendrecv_replace, 9, "bntdgsgcq", MESSAGE, COMMUNICATION, WIDE)                  \
	FUNCTION(Send_init, 7, "bntdgcq", PREPARE, COMMUNICATION, WIDE)                            \
	FUNCTION(Bsend_init, 7, "bntdgcq", PREPARE, COMMUNICATION, WIDE)                           \
	FUNCTION(Ssend_init, 7, "bntdgcq", PREPARE, COMMUNICATION, WIDE)                           \
	FUNCTION(Rsend_init, 7, "bntdgcq", PREPARE, COMMUNICATION, WIDE)                           \
	FUNCTION(Recv_init, 7, "vntsgcq", PREPARE, COMMUNICATION, WIDE)                            \
	FUNCTION(Psend_init, 9, "bkntdgcIq", PREPARE, COMMUNICATION, NARROW)                       \
	FUNCTION(Precv_init, 9, "vkntsgcIq", PREPARE, COMMUNICATION, NARROW)                       \
	FUNCTION(Pready, 2, "ih", READY, COMMUNICATION, NARROW)                                    \
	FUNCTION(Pready_range, 3, "iih", READY, COMMUNICATION, NARROW)                             \
	FUNCTION(Pready_list, 3, "iph", READY, COMMUNICATION, NARROW)                              \
	FUNCTION(Parrived, 3, "hiF", TIME, COMMUNICATION, NARROW)                                  \
	FUNCTION(Start, 1, "q", START, COMMUNICATION, NARROW)                                      \
	FUNCTION(Startall, 2, "nQ", START, COMMUNICATION, NARROW)                                  \
	FUNCTION(Wait, 2, "qS", COMPLETE, COMMUNICATION, NARROW)                                   \
	FUNCTION(Waitall, 3, "nQA", COMPLETE, COMMUNICATION, NARROW)                               \
	FUNCTION(Waitany, 4, "nQXS", COMPLETE, COMMUNICATION, NARROW)                              \
	FUNCTION(Waitsome, 5, "nQXpA", COMPLETE, COMMUNICATION, NARROW)                            \
	FUNCTION(Test, 3, "qFS", COMPLETE, COMMUNICATION, NARROW)                                  \
	FUNCTION(Testall, 4, "nQFA", COMPLETE, COMMUNICATION, NARROW)                              \
	FUNCTION(Testany, 5, "nQXFS", COMPLETE, COMMUNICATION, NARROW)                             \
	FUNCTION(Testsome, 5, "nQXpA", COMPLETE, COMMUNICATION, NARROW)                            \
	FUNCTION(Request_free, 1, "q", DROP, COMMUNICATION, NARROW)                                \
	FUNCTION(Cancel, 1, "q", TIME, COMMUNICATION, NARROW)                                      \
	FUNCTION(Probe, 4, "sgcS", TIME, COMMUNICATION, NARROW)                                    \
	FUNCTION(Iprobe, 5, "sgcFS", TIME, COMMUNICATION, NARROW)                                  \
	FUNCTION(Mprobe, 5, "sgcmS", MATCH, COMMUNICATION, NARROW)                                 \
	FUNCTION(Improbe, 6, "sgcFmS", MATCH, COMMUNICATION, NARROW)                               \
	FUNCTION(Mrecv, 5, "vntmS", MESSAGE, COMMUNICATION, WIDE)                                  \
	FUNCTION(Imrecv, 5, "vntmq", MESSAGE, COMMUNICATION, WIDE)                                 \
	FAMILY(Barrier, barrier, 1, "c", "n0n0x", BARRIER, NARROW)                                 \
	FAMILY(Bcast, bcast, 5, "xntrc", "r1o1", COLLECTIVE, WIDE)                                 \
	FAMILY(Gather, gather, 8, "bntvntrc", "a1r*", COLLECTIVE, WIDE)                            \
	FAMILY(Gatherv, gatherv, 9, "bntvNDtrc", "a1r+", COLLECTIVE, WIDE)                         \
	FAMILY(Scatter, scatter, 8, "bntvntrc", "r*a1", COLLECTIVE, WIDE)                          \
	FAMILY(Scatterv, scatterv, 9, "bNDtvntrc", "r+a1", COLLECTIVE, WIDE)                       \
	FAMILY(Allgather, allgather, 7, "bntvntc", "a1a*x", COLLECTIVE, WIDE)                      \
	FAMILY(Allgatherv, allgatherv, 8, "bntvNDtc", "a1a+x", COLLECTIVE, WIDE)                   \
	FAMILY(Alltoall, alltoall, 7, "bntvntc", "a*a*x", COLLECTIVE, WIDE)                        \
	FAMILY(Alltoallv, alltoallv, 9, "bNDtvNDtc", "a+a+x", COLLECTIVE, WIDE)                    \
	FAMILY(Alltoallw, alltoallw, 9, "bNDTvNDTc", "a+a+x", COLLECTIVE, WIDE)                    \
	FAMILY(Reduce, reduce, 7, "bvntorc", "a1r1", COLLECTIVE, WIDE)                             \
	FAMILY(Allreduce, allreduce, 6, "bvntoc", "a1a1x", COLLECTIVE, WIDE)                       \
	FAMILY(Reduce_scatter, reduce_scatter, 6, "bvNtoc", "asaix", COLLECTIVE, WIDE)             \
	FAMILY(Reduce_scatter_block, reduce_scatter_block, 6, "bvntoc", "ama1x", COLLECTIVE, WIDE) \
	FAMILY(Scan, scan, 6, "bvntoc", "a1a1", COLLECTIVE, WIDE)                                  \
	FAMILY(Exscan, exscan, 6, "bvntoc", "a1f1", COLLECTIVE, WIDE)                              \
	FAMILY(Neighbor_allgather, neighbor_allgather, 7, "bntvntc", "a1a*n", COLLECTIVE, WIDE)    \
	FAMILY(Neighbor_allgatherv, neighbor_allgatherv, 8, "bntvNDtc", "a1a+n", COLLECTIVE, WIDE) \
	FAMILY(Neighbor_alltoall, neighbor_alltoall, 7, "bntvntc", "a*a*n", COLLECTIVE, WIDE)      \
	FAMILY(Neighbor_alltoallv, neighbor_alltoallv, 9, "bNDtvNDtc", "a+a+n", COLLECTIVE, WIDE)  \
	FAMILY(Neighbor_alltoallw, neighbor_alltoallw, 9, "bNDTvNDTc", "a+a+n", COLLECTIVE, WIDE)  \
	FUNCTION(Put, 8, "bntdlntw", ACCESS, COMMUNICATION, WIDE)                                  \
	FUNCTION(Get, 8, "vntdlntw", ACCESS, COMMUNICATION, WIDE)                                  \
	FUNCTION(Accumulate, 9, "bntdlntow", ACCESS, COMMUNICATION, WIDE)                          \
	FUNCTION(Get_accumulate, 12, "bntvntdlntow", ACCESS, COMMUNICATION, WIDE)                  \
	FUNCTION(Fetch_and_op, 7, "bvtdlow", ACCESS, COMMUNICATION, NARROW)                        \
	FUNCTION(Compare_and_swap, 7, "bpvtdlw", ACCESS, COMMUNICATION, NARROW)                    \
	FUNCTION(Rput, 9, "bntdlntwq", ACCESS, COMMUNICATION, WIDE)                                \
	FUNCTION(Rget, 9, "vntdlntwq", ACCESS, COMMUNICATION, WIDE)                                \
	FUNCTION(Raccumulate, 10, "bntdlntowq", ACCESS, COMMUNICATION, WIDE)                       \
	FUNCTION(Rget_accumulate, 13, "bntvntdlntowq", ACCESS, COMMUNICATION, WIDE)                \
	FUNCTION(Win_fence, 2, "iw", FENCE, BARRIER, NARROW)                                       \
	FUNCTION(Win_lock, 4, "idiw", PASSIVE, FENCE, NARROW)                                      \
	FUNCTION(Win_unlock, 2, "dw", PASSIVE, FENCE, NARROW)                                      \
	FUNCTION(Win_lock_all, 2, "iw", PASSIVE, FENCE, NARROW)                                    \
	FUNCTION(Win_unlock_all, 1, "w", PASSIVE, FENCE, NARROW)                                   \
	FUNCTION(Win_flush, 2, "dw", PASSIVE, FENCE, NARROW)                                       \
	FUNCTION(Win_flush_all, 1, "w", PASSIVE, FENCE, NARROW)                                    \
	FUNCTION(Win_flush_local, 2, "dw", PASSIVE, FENCE, NARROW)                                 \
	FUNCTION(Win_flush_local_all, 1, "w", PASSIVE, FENCE, NARROW)                              \
	FUNCTION(Win_start, 3, "Giw", EPOCH, FENCE, NARROW)                                        \
	FUNCTION(Win_complete, 1, "w", EPOCH, FENCE, NARROW)                                       \
	FUNCTION(Win_post, 3, "Giw", EPOCH, FENCE, NARROW)                                         \
	FUNCTION(Win_wait, 1, "w", EPOCH, FENCE, NARROW)                                           \
	FUNCTION(Win_test, 2, "wF", EPOCH, FENCE, NARROW)                                          \
	FUNCTION(Win_sync, 1, "w", TIME, FENCE, NARROW)                                            \
	FUNCTION(Win_create, 6, "pliIcW", WINDOW_NEW, COLLECTIVE, WIDE)                            \
	FUNCTION(Win_allocate, 6, "liIcpW", WINDOW_NEW, COLLECTIVE, WIDE)                          \
	FUNCTION(Win_allocate_shared, 6, "liIcpW", WINDOW_NEW, COLLECTIVE, WIDE)                   \
	FUNCTION(Win_create_dynamic, 3, "IcW", WINDOW_NEW, COLLECTIVE, NARROW)                     \
	FUNCTION(Win_free, 1, "p", WINDOW_FREE, COLLECTIVE, NARROW)                                \
	FUNCTION(File_open, 5, "cpiIp", FILE_OPEN, COLLECTIVE, NARROW)                             \
	FUNCTION(File_close, 1, "p", FILE_CLOSE, COLLECTIVE, NARROW)                               \
	FUNCTION(File_delete, 2, "pI", FILE, COMMUNICATION, NARROW)                                \
	FUNCTION(File_set_size, 2, "fl", FILE, COLLECTIVE, NARROW)                                 \
	FUNCTION(File_preallocate, 2, "fl", FILE, COLLECTIVE, NARROW)                              \
	FUNCTION(File_set_view, 6, "flttpI", FILE, COLLECTIVE, NARROW)                             \
	FUNCTION(File_set_atomicity, 2, "fi", FILE, COLLECTIVE, NARROW)                            \
	FUNCTION(File_set_info, 2, "fI", FILE, COLLECTIVE, NARROW)                                 \
	FUNCTION(File_sync, 1, "f", FILE, COLLECTIVE, NARROW)                                      \
	FUNCTION(File_seek, 3, "fli", FILE, COMMUNICATION, NARROW)                                 \
	FUNCTION(File_seek_shared, 3, "fli", FILE, COLLECTIVE, NARROW)                             \
	FUNCTION(File_read, 5, "fvntS", FILE, COMMUNICATION, WIDE)                                 \
	FUNCTION(File_read_all, 5, "fvntS", FILE, COLLECTIVE, WIDE)                                \
	FUNCTION(File_read_at, 6, "flvntS", FILE, COMMUNICATION, WIDE)                             \
	FUNCTION(File_read_at_all, 6, "flvntS", FILE, COLLECTIVE, WIDE)                            \
	FUNCTION(File_read_shared, 5, "fvntS", FILE, COMMUNICATION, WIDE)                          \
	FUNCTION(File_read_ordered, 5, "fvntS", FILE, COLLECTIVE, WIDE)                            \
	FUNCTION(File_write, 5, "fbntS", FILE, COMMUNICATION, WIDE)                                \
	FUNCTION(File_write_all, 5, "fbntS", FILE, COLLECTIVE, WIDE)                               \
	FUNCTION(File_write_at, 6, "flbntS", FILE, COMMUNICATION, WIDE)                            \
	FUNCTION(File_write_at_all, 6, "flbntS", FILE, COLLECTIVE, WIDE)                           \
	FUNCTION(File_write_shared, 5, "fbntS", FILE, COMMUNICATION, WIDE)                         \
	FUNCTION(File_write_ordered, 5, "fbntS", FILE, COLLECTIVE, WIDE)                           \
	FUNCTION(File_iread, 5, "fvntq", FILE, COMMUNICATION, WIDE)                                \
	FUNCTION(File_iread_all, 5, "fvntq", FILE, COMMUNICATION, WIDE)                            \
	FUNCTION(File_iread_at, 6, "flvntq", FILE, COMMUNICATION, WIDE)                            \
	FUNCTION(File_iread_at_all, 6, "flvntq", FILE, COMMUNICATION, WIDE)                        \
	FUNCTION(File_iread_shared, 5, "fvntq", FILE, COMMUNICATION, WIDE)                         \
	FUNCTION(File_iwrite, 5, "fbntq", FILE, COMMUNICATION, WIDE)                               \
	FUNCTION(File_iwrite_all, 5, "fbntq", FILE, COMMUNICATION, WIDE)                           \
	FUNCTION(File_iwrite_at, 6, "flbntq", FILE, COMMUNICATION, WIDE)                           \
	FUNCTION(File_iwrite_at_all, 6, "flbntq", FILE, COMMUNICATION, WIDE)                       \
	FUNCTION(File_iwrite_shared, 5, "fbntq", FILE, COMMUNICATION, WIDE)                        \
	FUNCTION(File_read_all_begin, 4, "fvnt", FILE, COLLECTIVE, WIDE)                           \
	FUNCTION(File_read_all_end, 3, "fvS", FILE, COLLECTIVE, NARROW)                            \
	FUNCTION(File_read_at_all_begin, 5, "flvnt", FILE, COLLECTIVE, WIDE)                       \
	FUNCTION(File_read_at_all_end, 3, "fvS", FILE, COLLECTIVE, NARROW)                         \
	FUNCTION(File_read_ordered_begin, 4, "fvnt", FILE, COLLECTIVE, WIDE)                       \
	FUNCTION(File_read_ordered_end, 3, "fvS", FILE, COLLECTIVE, NARROW)                        \
	FUNCTION(File_write_all_begin, 4, "fbnt", FILE, COLLECTIVE, WIDE)                          \
	FUNCTION(File_write_all_end, 3, "fbS", FILE, COLLECTIVE, NARROW)                           \
	FUNCTION(File_write_at_all_begin, 5, "flbnt", FILE, COLLECTIVE, WIDE)                      \
	FUNCTION(File_write_at_all_end, 3, "fbS", FILE, COLLECTIVE, NARROW)                        \
	FUNCTION(File_write_ordered_begin, 4, "fbnt", FILE, COLLECTIVE, WIDE)                      \
	FUNCTION(File_write_ordered_end, 3, "fbS", FILE, COLLECTIVE, NARROW)                       \
	FUNCTION(Comm_dup, 2, "cC", COMM_NEW, COLLECTIVE, NARROW)                                  \
	FUNCTION(Comm_dup_with_info, 3, "cIC", COMM_NEW, COLLECTIVE, NARROW)                       \
	FUNCTION(Comm_idup, 3, "cCq", COPY, COMMUNICATION, NARROW)                                 \
	FUNCTION(Comm_split, 4, "ciiC", COMM_NEW, COLLECTIVE, NARROW)                              \
	FUNCTION(Comm_split_type, 5, "ciiIC", COMM_NEW, COLLECTIVE, NARROW)                        \
	FUNCTION(Comm_create, 3, "cGC", COMM_NEW, COLLECTIVE, NARROW)                              \
	FUNCTION(Comm_create_group, 4, "cGiC", COMM_NEW, COLLECTIVE, NARROW)                       \
	FUNCTION(Comm_create_from_group, 5, "GpIpC", COMM_NEW, COLLECTIVE, NARROW)                 \
	FUNCTION(Comm_free, 1, "p", COMM_FREE, COLLECTIVE, NARROW)                                 \
	FUNCTION(Comm_disconnect, 1, "p", COMM_FREE, COLLECTIVE, NARROW)                           \
	FUNCTION(Intercomm_create, 6, "cicioC", COMM_NEW, COLLECTIVE, NARROW)                      \
	FUNCTION(Intercomm_merge, 3, "ciC", COMM_NEW, COLLECTIVE, NARROW)                          \
	FUNCTION(Cart_create, 6, "cippiC", COMM_NEW, COLLECTIVE, NARROW)                           \
	FUNCTION(Cart_sub, 3, "cpC", COMM_NEW, COLLECTIVE, NARROW)                                 \
	FUNCTION(Graph_create, 6, "cippiC", COMM_NEW, COLLECTIVE, NARROW)                          \
	FUNCTION(Dist_graph_create, 9, "cippppIiC", COMM_NEW, COLLECTIVE, NARROW)                  \
	FUNCTION(Dist_graph_create_adjacent, 10, "cippippIiC", COMM_NEW, COLLECTIVE, NARROW)       \
	FUNCTION(Comm_spawn, 8, "ppiIicCp", COMM_NEW, COLLECTIVE, NARROW)                          \
	FUNCTION(Comm_spawn_multiple, 9, "ippppicCp", COMM_NEW, COLLECTIVE, NARROW)                \
	FUNCTION(Comm_accept, 5, "pIicC", COMM_NEW, COLLECTIVE, NARROW)                            \
	FUNCTION(Comm_connect, 5, "pIicC", COMM_NEW, COLLECTIVE, NARROW)                           \
	FUNCTION(Comm_rank, 2, "cp", COUNT, COMMUNICATION, NARROW)                                 \
	FUNCTION(Comm_size, 2, "cp", COUNT, COMMUNICATION, NARROW)                                 \
	FUNCTION(Type_size, 2, "tp", COUNT, COMMUNICATION, NARROW)                                 \
	FUNCTION(Buffer_detach, 2, "pp", TIME, COMMUNICATION, NARROW)                              \
	FUNCTION(Pack, 7, "bntvipc", TIME, COMMUNICATION, NARROW)                                  \
	FUNCTION(Unpack, 7, "vipbntc", TIME, COMMUNICATION, NARROW)                                \
	FUNCTION(Session_init, 3, "Ipp", SESSION, COMMUNICATION, NARROW)                           \
	FUNCTION(Session_finalize, 1, "p", TIME, COMMUNICATION, NARROW)                            \
	FUNCTION(Init, 2, "pp", INIT, COMMUNICATION, NARROW)                                       \
	FUNCTION(Init_thread, 4, "ppip", INIT, COMMUNICATION, NARROW)                              \
	FUNCTION(Finalize, 0, "", FINALIZE, COMMUNICATION, NARROW)                                 \
	FUNCTION(Abort, 2, "ci", ABORT, COMMUNICATION, NARROW)                                     \
	FUNCTION(Comm_idup_with_info, 4, "cICq", COPY, COMMUNICATION, NARROW)                      \
	FUNCTION(Intercomm_create_from_groups, 8, "GiGipIpC", COMM_NEW, COLLECTIVE, NARROW)        \
	FUNCTION(Comm_join, 2, "iC", COMM_NEW, COLLECTIVE, NARROW)                                 \
	FUNCTION(Open_port, 2, "Ip", TIME, COMMUNICATION, NARROW)                                  \
	FUNCTION(Close_port, 1, "p", TIME, COMMUNICATION, NARROW)                                  \
	FUNCTION(Publish_name, 3, "pIp", TIME, COMMUNICATION, NARROW)                              \
	FUNCTION(Unpublish_name, 3, "pIp", TIME, COMMUNICATION, NARROW)                            \
	FUNCTION(Lookup_name, 3, "pIp", TIME, COMMUNICATION, NARROW)                               \
	FUNCTION(Reduce_local, 5, "bvnto", TIME, OTHER, WIDE)                                      \
	FUNCTION(Pack_external, 7, "pbntvlp", TIME, OTHER, WIDE)                                   \
	FUNCTION(Unpack_external, 7, "pvlpbnt", TIME, OTHER, WIDE)                                 \
	FUNCTION(Win_attach, 3, "wpl", TIME, OTHER, NARROW)                                        \
	FUNCTION(Win_detach, 2, "wp", TIME, OTHER, NARROW)                                         \
	FUNCTION(Buffer_flush, 0, "", TIME, FENCE, NARROW)                                         \
	FUNCTION(Comm_flush_buffer, 1, "c", TIME, FENCE, NARROW)                                   \
	FUNCTION(Session_flush_buffer, 1, "p", TIME, FENCE, NARROW)                                \
	FUNCTION(Request_get_status, 3, "hFS", COMPLETE, COMMUNICATION, NARROW)                    \
	FUNCTION(Request_get_status_all, 4, "nQFA", COMPLETE, COMMUNICATION, NARROW)               \
	FUNCTION(Request_get_status_any, 5, "nQXFS", COMPLETE, COMMUNICATION, NARROW)              \
	FUNCTION(Request_get_status_some, 5, "nQXpA", COMPLETE, COMMUNICATION, NARROW)             \
	FUNCTION(Comm_remote_size, 2, "cp", COUNT, OTHER, NARROW)                                  \
	FUNCTION(Comm_compare, 3, "ccp", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Comm_test_inter, 2, "cF", COUNT, OTHER, NARROW)                                   \
	FUNCTION(Comm_group, 2, "cp", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Comm_remote_group, 2, "cp", COUNT, OTHER, NARROW)                                 \
	FUNCTION(Comm_get_parent, 1, "C", COUNT, OTHER, NARROW)                                    \
	FUNCTION(Comm_get_attr, 4, "cipF", COUNT, OTHER, NARROW)                                   \
	FUNCTION(Comm_set_attr, 3, "cip", COUNT, OTHER, NARROW)                                    \
	FUNCTION(Comm_get_name, 3, "cpp", COUNT, OTHER, NARROW)                                    \
	FUNCTION(Comm_set_name, 2, "cp", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Comm_set_errhandler, 2, "cp", COUNT, OTHER, NARROW)                               \
	FUNCTION(Group_rank, 2, "Gp", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Group_size, 2, "Gp", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Group_incl, 4, "Gipp", COUNT, OTHER, NARROW)                                      \
	FUNCTION(Group_excl, 4, "Gipp", COUNT, OTHER, NARROW)                                      \
	FUNCTION(Group_union, 3, "GGp", COUNT, OTHER, NARROW)                                      \
	FUNCTION(Group_intersection, 3, "GGp", COUNT, OTHER, NARROW)                               \
	FUNCTION(Group_difference, 3, "GGp", COUNT, OTHER, NARROW)                                 \
	FUNCTION(Group_translate_ranks, 5, "GipGp", COUNT, OTHER, NARROW)                          \
	FUNCTION(Group_free, 1, "p", COUNT, OTHER, NARROW)                                         \
	FUNCTION(Cart_coords, 4, "ciip", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Cart_rank, 3, "cpp", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Cart_shift, 5, "ciipp", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Cart_get, 5, "cippp", COUNT, OTHER, NARROW)                                       \
	FUNCTION(Cartdim_get, 2, "cp", COUNT, OTHER, NARROW)                                       \
	FUNCTION(Dims_create, 3, "iip", COUNT, OTHER, NARROW)                                      \
	FUNCTION(Topo_test, 2, "cp", COUNT, OTHER, NARROW)                                         \
	FUNCTION(Graph_neighbors, 4, "ciip", COUNT, OTHER, NARROW)                                 \
	FUNCTION(Graph_neighbors_count, 3, "cip", COUNT, OTHER, NARROW)                            \
	FUNCTION(Dist_graph_neighbors, 7, "cippipp", COUNT, OTHER, NARROW)                         \
	FUNCTION(Dist_graph_neighbors_count, 4, "cppp", COUNT, OTHER, NARROW)                      \
	FUNCTION(Type_commit, 1, "p", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Type_free, 1, "p", COUNT, OTHER, NARROW)                                          \
	FUNCTION(Type_get_extent, 3, "tpp", COUNT, OTHER, NARROW)                                  \
	FUNCTION(Op_create, 3, "pip", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Op_free, 1, "p", COUNT, OTHER, NARROW)                                            \
	FUNCTION(Test_cancelled, 2, "pF", COUNT, OTHER, NARROW)                                    \
	FUNCTION(Initialized, 1, "F", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Finalized, 1, "F", COUNT, OTHER, NARROW)                                          \
	FUNCTION(Query_thread, 1, "p", COUNT, OTHER, NARROW)                                       \
	FUNCTION(Is_thread_main, 1, "F", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Get_address, 2, "pp", COUNT, OTHER, NARROW)                                       \
	FUNCTION(Get_processor_name, 2, "pp", COUNT, OTHER, NARROW)                                \
	FUNCTION(Error_string, 3, "ipp", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Error_class, 2, "ip", COUNT, OTHER, NARROW)                                       \
	FUNCTION(Alloc_mem, 3, "lIp", COUNT, OTHER, NARROW)                                        \
	FUNCTION(Free_mem, 1, "p", COUNT, OTHER, NARROW)                                           \
	FUNCTION(Win_shared_query, 5, "wippp", COUNT, OTHER, NARROW)                               \
	FUNCTION(Win_get_group, 2, "wp", COUNT, OTHER, NARROW)                                     \
	FUNCTION(File_get_size, 2, "fp", COUNT, OTHER, NARROW)                                     \
	FUNCTION(File_get_position, 2, "fp", COUNT, OTHER, NARROW)                                 \
	FUNCTION(File_get_position_shared, 2, "fp", COUNT, OTHER, NARROW)                          \
	FUNCTION(File_get_byte_offset, 3, "flp", COUNT, OTHER, NARROW)                             \
	FUNCTION(File_get_view, 5, "fpppp", COUNT, OTHER, NARROW)                                  \
	FUNCTION(File_get_atomicity, 2, "fp", COUNT, OTHER, NARROW)                                \
	FUNCTION(File_get_amode, 2, "fp", COUNT, OTHER, NARROW)                                    \
	FUNCTION(File_get_group, 2, "fp", COUNT, OTHER, NARROW)                                    \
	FUNCTION(File_get_info, 2, "fp", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Buffer_attach, 2, "pi", COUNT, OTHER, NARROW)                                     \
	FUNCTION(Get_count, 3, "Stp", COUNT, OTHER, WIDE)                                          \
	FUNCTION(Get_elements, 3, "Stp", COUNT, OTHER, WIDE)                                       \
	FUNCTION(Type_contiguous, 3, "ntp", COUNT, OTHER, WIDE)                                    \
	FUNCTION(Type_vector, 5, "nnntp", COUNT, OTHER, WIDE)                                      \
	FUNCTION(Type_indexed, 5, "nNDtp", COUNT, OTHER, WIDE)                                     \
	FUNCTION(Type_create_hvector, 5, "nnltp", COUNT, OTHER, WIDE)                              \
	FUNCTION(Type_create_hindexed, 5, "nNDtp", COUNT, OTHER, WIDE)                             \
	FUNCTION(Type_create_indexed_block, 5, "nnDtp", COUNT, OTHER, WIDE)                        \
	FUNCTION(Type_create_struct, 5, "nNDTp", COUNT, OTHER, WIDE)                               \
	FUNCTION(Type_create_subarray, 7, "ipppitp", COUNT, OTHER, WIDE)                           \
	FUNCTION(Type_create_resized, 4, "tllp", COUNT, OTHER, WIDE)                               \
	FUNCTION(Type_dup, 2, "tp", COUNT, OTHER, NARROW)

/*
 * M(name, number of arguments, kinds, moved, effect, category, family, wide) for each function: define M, and use it
 * once. The family is its name in lower case; none: no family.
 */
#define HEDDLE_MPI_NARROW(name, ...) M(name, __VA_ARGS__, false)
#define HEDDLE_MPI_WIDE(name, ...) M(name, __VA_ARGS__, false) M(name##_c, __VA_ARGS__, true)
#define HEDDLE_MPI_FUNCTION(name, count, kinds, effect, category, width) \
	HEDDLE_MPI_##width(name, count, kinds, "", effect, category, none)
#define HEDDLE_MPI_FAMILY(name, lower, count, kinds, moved, category, width)                             \
	HEDDLE_MPI_##width(name, count, kinds, moved, COLLECTIVE, category, lower) HEDDLE_MPI_##width(   \
		I##lower, HEDDLE_MPI_1_MORE_##count, kinds "q", moved, COLLECTIVE, COMMUNICATION, lower) \
		HEDDLE_MPI_##width(                                                                      \
			name##_init, HEDDLE_MPI_2_MORE_##count, kinds "Iq", moved, PREPARE, category, lower)
#define HEDDLE_MPI_FUNCTIONS HEDDLE_MPI_TABLE(HEDDLE_MPI_FUNCTION, HEDDLE_MPI_FAMILY)

#define HEDDLE_MPI_1_MORE_1 2
#define HEDDLE_MPI_1_MORE_2 3
#define HEDDLE_MPI_1_MORE_3 4
#define HEDDLE_MPI_1_MORE_4 5
#define HEDDLE_MPI_1_MORE_5 6
#define HEDDLE_MPI_1_MORE_6 7
#define HEDDLE_MPI_1_MORE_7 8
#define HEDDLE_MPI_1_MORE_8 9
#define HEDDLE_MPI_1_MORE_9 10
#define HEDDLE_MPI_2_MORE_1 3
#define HEDDLE_MPI_2_MORE_2 4
#define HEDDLE_MPI_2_MORE_3 5
#define HEDDLE_MPI_2_MORE_4 6
#define HEDDLE_MPI_2_MORE_5 7
#define HEDDLE_MPI_2_MORE_6 8
#define HEDDLE_MPI_2_MORE_7 9
#define HEDDLE_MPI_2_MORE_8 10
#define HEDDLE_MPI_2_MORE_9 11

#endif
