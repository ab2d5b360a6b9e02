! SPDX-License-Identifier: BSD-3-Clause
!
! A tridiagonal system by Jacobi sweeps, in OpenMP Fortran:  jacobi [SWEEPS [POINTS]]
!
! Built with gfortran, it runs on GCC's OpenMP runtime, which has no tool interface; give `heddle run` the option
! `--openmp-runtime llvm` to see its parallel regions.
module sweeps
  implicit none
contains

  subroutine sweep(n, b, old, new, change)
    integer, intent(in) :: n
    double precision, intent(in) :: b(n), old(0:n+1)
    double precision, intent(inout) :: new(0:n+1)
    double precision, intent(out) :: change
    integer :: i

    change = 0
    !$omp parallel do reduction(max: change)
    do i = 1, n
      new(i) = relaxed(b(i), old(i-1), old(i+1))
      change = max(change, abs(new(i) - old(i)))
    end do
    !$omp end parallel do
  end subroutine sweep

  ! The diagonal is 4, its neighbours are -1.
  pure function relaxed(b, left, right) result(x)
    double precision, intent(in) :: b, left, right
    double precision :: x

    x = (b + left + right) / 4
  end function relaxed

end module sweeps

program jacobi
  use sweeps
  implicit none
  integer :: count, n, step
  double precision :: change
  double precision, allocatable :: b(:), x(:), y(:)
  character(len=16) :: word

  count = 400
  n = 2000000
  if (command_argument_count() >= 1) then
    call get_command_argument(1, word)
    read (word, *) count
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, word)
    read (word, *) n
  end if
  if (count < 2 .or. n < 2) stop 2
  allocate (b(n), x(0:n+1), y(0:n+1))

  ! The solution is 1 everywhere.
  b = 2
  b(1) = 3
  b(n) = 3
  x = 0
  y = 0
  do step = 1, count / 2
    call sweep(n, b, x, y, change)
    call sweep(n, b, y, x, change)
  end do

  if (maxval(abs(x(1:n) - 1)) <= 2d0 * 0.5d0**min(count - 1, 40)) then
    print '(a, i0, a, i0, a)', 'jacobi: ', count, ' sweeps over ', n, ' points: verified'
  else
    print '(a, i0, a, i0, a)', 'jacobi: ', count, ' sweeps over ', n, ' points: WRONG'
    stop 1
  end if
end program jacobi
