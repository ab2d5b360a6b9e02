! SPDX-License-Identifier: BSD-3-Clause
! truth_fortran: like truth.c, for Fortran: a parallel region, a parallel loop and tasks, in a module and outside it.
module work
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  interface
    integer(c_int64_t) function burn_fortran(ms) bind(c) ! of burn_fortran.c
      import :: c_double, c_int64_t
      real(c_double), value :: ms
    end function
  end interface
  integer(int64) :: ns_region = 0, ns_loop = 0, ns_task = 0
  real(8) :: sink = 0
contains
  subroutine spin(ms, ns)
    real(8), intent(in) :: ms
    integer(int64), intent(out) :: ns
    ns = burn_fortran(ms)
  end subroutine

  subroutine burn_region(ms)
    real(8), intent(in) :: ms
    integer(int64) :: ns
    call spin(ms, ns)
    !$omp atomic
    ns_region = ns_region + ns
  end subroutine

  subroutine burn_loop(ms)
    real(8), intent(in) :: ms
    integer(int64) :: ns
    call spin(ms, ns)
    !$omp atomic
    ns_loop = ns_loop + ns
  end subroutine
end module

subroutine burn_task(ms)
  use work
  implicit none
  real(8), intent(in) :: ms
  integer(int64) :: ns
  call spin(ms, ns)
  !$omp atomic
  ns_task = ns_task + ns
end subroutine

subroutine tasking()
  implicit none
  integer :: i
  !$omp parallel num_threads(2) ! line: tasking
  !$omp single
  do i = 1, 20
    !$omp task ! line: task
    call burn_task(40d0)
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
end subroutine

program truth_fortran
  use work
  implicit none
  integer :: i
  real(8) :: all

  !$omp parallel num_threads(2) ! line: region
  call burn_region(300d0)
  !$omp end parallel
  !$omp parallel do num_threads(2) schedule(dynamic) ! line: loop
  do i = 1, 30
    call burn_loop(20d0)
  end do
  !$omp end parallel do
  call tasking()
  all = real(ns_region + ns_loop + ns_task, 8)
  print '(a,f8.5,i15)', 'burn_region ', real(ns_region, 8) / all, ns_region
  print '(a,f8.5,i15)', 'burn_loop ', real(ns_loop, 8) / all, ns_loop
  print '(a,f8.5,i15)', 'burn_task ', real(ns_task, 8) / all, ns_task
end program
