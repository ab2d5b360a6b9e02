# SPDX-License-Identifier: BSD-3-Clause
"""The calls of binding.c, by mpi4py."""
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
before, after = (rank + size - 1) % size, (rank + 1) % size


def exchange():
    got, sent = bytearray(400), bytearray(400)
    requests = [world.Irecv([got, MPI.BYTE], source=before, tag=1), world.Isend([sent, MPI.BYTE], dest=after, tag=1)]
    MPI.Request.Waitall(requests)
    world.Sendrecv([sent, 40, MPI.BYTE], dest=after, sendtag=2, recvbuf=[got, 40, MPI.BYTE], source=before, recvtag=2)


for _ in range(7):
    exchange()
everyone = bytearray(4)
world.Allreduce([rank.to_bytes(4, "little"), MPI.INT], [everyone, MPI.INT], op=MPI.SUM)
world.Barrier()
assert int.from_bytes(everyone, "little") == size * (size - 1) // 2
