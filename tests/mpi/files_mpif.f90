! SPDX-License-Identifier: BSD-3-Clause
! Each rank writes 200 bytes and reads 80 bytes, by mpif.h.
program files
	implicit none
	include 'mpif.h'
	integer :: rank, error, file, request
	integer :: numbers(25)
	integer(kind=MPI_OFFSET_KIND) :: at
	character(len=40) :: name = 'fortran.data'
	numbers = 0
	call MPI_Init(error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, error)
	at = 100 * rank
	call MPI_File_write_at(file, at, numbers, 25, MPI_INTEGER, MPI_STATUS_IGNORE, error)
	call MPI_File_iwrite_at(file, at, numbers, 25, MPI_INTEGER, request, error)
	call MPI_Wait(request, MPI_STATUS_IGNORE, error)
	call MPI_File_read_at_all(file, at, numbers, 20, MPI_INTEGER, MPI_STATUS_IGNORE, error)
	call MPI_File_close(file, error)
	call MPI_Finalize(error)
end program
