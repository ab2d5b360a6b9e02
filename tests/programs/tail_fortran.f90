! SPDX-License-Identifier: BSD-3-Clause
! tail_fortran: like tail.c, for Fortran. The last call of a construct has no arguments that are on the stack.
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
  integer(int64) :: ns_region = 0, ns_task = 0, ns_single = 0, ns_master = 0
  real(8) :: sink = 0
contains
  subroutine spin(ms, ns)
    real(8), intent(in) :: ms
    integer(int64), intent(out) :: ns
    ns = burn_fortran(ms)
  end subroutine

  subroutine burn_region()
    integer(int64) :: ns
    call spin(150d0, ns)
    !$omp atomic
    ns_region = ns_region + ns
  end subroutine

  subroutine burn_task()
    integer(int64) :: ns
    call spin(12d0, ns)
    !$omp atomic
    ns_task = ns_task + ns
  end subroutine

  subroutine burn_single()
    integer(int64) :: ns
    call spin(240d0, ns)
    !$omp atomic
    ns_single = ns_single + ns
  end subroutine

  subroutine burn_master()
    integer(int64) :: ns
    call spin(220d0, ns)
    !$omp atomic
    ns_master = ns_master + ns
  end subroutine
end module

subroutine tasking()
  use work
  implicit none
  integer :: i
  !$omp parallel num_threads(2) ! line: tasking
  !$omp single
  do i = 1, 20
    !$omp task ! line: task
    call burn_task()
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  sink = sink + 1 ! no tail call stands before this
end subroutine

subroutine alone()
  use work
  implicit none
  !$omp parallel num_threads(2) ! line: alone
  !$omp single
  call burn_single()
  !$omp end single nowait
  !$omp end parallel
  sink = sink + 1 ! no tail call stands before this
end subroutine

subroutine leading()
  use work
  implicit none
  !$omp parallel num_threads(2) ! line: leading
  !$omp master
  call burn_master()
  !$omp end master
  !$omp end parallel
  sink = sink + 1 ! no tail call stands before this
end subroutine

program tail_fortran
  use work
  implicit none
  real(8) :: all

  !$omp parallel num_threads(2) ! line: region
  call burn_region()
  !$omp end parallel
  call tasking()
  call alone()
  call leading()
  all = real(ns_region + ns_task + ns_single + ns_master, 8)
  print '(a,f8.5,i15)', 'burn_region ', real(ns_region, 8) / all, ns_region
  print '(a,f8.5,i15)', 'burn_task ', real(ns_task, 8) / all, ns_task
  print '(a,f8.5,i15)', 'burn_single ', real(ns_single, 8) / all, ns_single
  print '(a,f8.5,i15)', 'burn_master ', real(ns_master, 8) / all, ns_master
end program
