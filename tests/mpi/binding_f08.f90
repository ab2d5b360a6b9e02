! SPDX-License-Identifier: BSD-3-Clause
! The calls of binding.c, by use mpi_f08.
subroutine exchange(rank, size)
	use mpi_f08
	implicit none
	
	integer :: rank, size, error
	integer :: out(100), in(100)
	type(MPI_Request) :: requests(2)
	type(MPI_Status) :: statuses(2)
	out = 0
	call MPI_Irecv(in, 100, MPI_INTEGER, mod(rank + size - 1, size), 1, MPI_COMM_WORLD, requests(1), error)
	call MPI_Isend(out, 100, MPI_INTEGER, mod(rank + 1, size), 1, MPI_COMM_WORLD, requests(2), error)
	call MPI_Waitall(2, requests, statuses, error)
	call MPI_Sendrecv(out, 10, MPI_INTEGER, mod(rank + 1, size), 2, in, 10, MPI_INTEGER, mod(rank + size - 1, size), 2, &
		MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
end subroutine

program binding
	use mpi_f08
	implicit none
	
	integer :: rank, size, all, error, i
	call MPI_Init(error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	call MPI_Comm_size(MPI_COMM_WORLD, size, error)
	do i = 1, 7
		call exchange(rank, size)
	end do
	call MPI_Allreduce(rank, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
	call MPI_Barrier(MPI_COMM_WORLD, error)
	call MPI_Finalize(error)
	if (all /= size * (size - 1) / 2) stop 1
end program
