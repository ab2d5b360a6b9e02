! SPDX-License-Identifier: BSD-3-Clause
!
! What a Fortran program can ask of Heddle while it runs. Compile this file with the program's compiler, before the
! sources that say `use heddle`; nothing has to be linked. Without Heddle in the process every call does nothing.
!
!     use heddle
!     call heddle_phase_begin('solve')
!     call heddle_value('residual', r)
!     call heddle_phase_end('solve')
!
! Blanks at a name's end are left out. Each call takes an optional integer, which is 0 or a negative errno afterwards.
module heddle
   use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_procpointer, c_funptr, c_int, c_null_char, c_null_ptr, &
      c_associated, c_ptr
   implicit none
   private
   public :: heddle_start, heddle_stop, heddle_flush, heddle_phase_begin, heddle_phase_end, heddle_value

   abstract interface
      function call_plain() bind(c) result(error)
         import :: c_int
         integer(c_int) :: error
      end function
      function call_named(name) bind(c) result(error)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int) :: error
      end function
      function call_valued(name, value) bind(c) result(error)
         import :: c_char, c_double, c_int
         character(kind=c_char), intent(in) :: name(*)
         real(c_double), value :: value
         integer(c_int) :: error
      end function
   end interface

   interface
      function look_up(handle, name) bind(c, name='dlsym') result(function)
         import :: c_char, c_funptr, c_ptr
         type(c_ptr), value :: handle
         character(kind=c_char), intent(in) :: name(*)
         type(c_funptr) :: function
      end function
   end interface

   interface heddle_value
      module procedure value_of_double, value_of_single, value_of_integer
   end interface

contains

   subroutine give(error, result)
      integer, intent(out), optional :: error
      integer(c_int), intent(in) :: result
      if (present(error)) error = int(result)
   end subroutine

   subroutine call_without(name, error)
      character(*), intent(in) :: name
      integer, intent(out), optional :: error
      type(c_funptr) :: function
      procedure(call_plain), pointer :: found
      integer(c_int) :: result
      result = 0
      function = look_up(c_null_ptr, name//c_null_char)
      if (c_associated(function)) then
         call c_f_procpointer(function, found)
         result = found()
      end if
      call give(error, result)
   end subroutine

   ! Measurement of the whole process starts.
   subroutine heddle_start(error)
      integer, intent(out), optional :: error
      call call_without('heddle_measure_start', error)
   end subroutine

   ! Measurement of the whole process stops until heddle_start.
   subroutine heddle_stop(error)
      integer, intent(out), optional :: error
      call call_without('heddle_measure_stop', error)
   end subroutine

   ! The profile is written as it is now; measurement continues.
   subroutine heddle_flush(error)
      integer, intent(out), optional :: error
      call call_without('heddle_measure_flush', error)
   end subroutine

   ! A phase of the calling thread begins. Phases nest.
   subroutine heddle_phase_begin(name, error)
      character(*), intent(in) :: name
      integer, intent(out), optional :: error
      type(c_funptr), save :: function
      logical, save :: known = .false.
      procedure(call_named), pointer :: found
      integer(c_int) :: result
      result = 0
      if (.not. known) then
         function = look_up(c_null_ptr, 'heddle_measure_phase_begin'//c_null_char)
         known = .true.
      end if
      if (c_associated(function)) then
         call c_f_procpointer(function, found)
         result = found(trim(name)//c_null_char)
      end if
      call give(error, result)
   end subroutine

   ! The phase of that name ends, which the calling thread began last and which is open.
   subroutine heddle_phase_end(name, error)
      character(*), intent(in) :: name
      integer, intent(out), optional :: error
      type(c_funptr), save :: function
      logical, save :: known = .false.
      procedure(call_named), pointer :: found
      integer(c_int) :: result
      result = 0
      if (.not. known) then
         function = look_up(c_null_ptr, 'heddle_measure_phase_end'//c_null_char)
         known = .true.
      end if
      if (c_associated(function)) then
         call c_f_procpointer(function, found)
         result = found(trim(name)//c_null_char)
      end if
      call give(error, result)
   end subroutine

   ! A value is counted below the current path. heddle_value takes reals of both kinds and integers.
   subroutine value_of_double(name, value, error)
      character(*), intent(in) :: name
      real(c_double), intent(in) :: value
      integer, intent(out), optional :: error
      type(c_funptr), save :: function
      logical, save :: known = .false.
      procedure(call_valued), pointer :: found
      integer(c_int) :: result
      result = 0
      if (.not. known) then
         function = look_up(c_null_ptr, 'heddle_measure_value'//c_null_char)
         known = .true.
      end if
      if (c_associated(function)) then
         call c_f_procpointer(function, found)
         result = found(trim(name)//c_null_char, value)
      end if
      call give(error, result)
   end subroutine

   subroutine value_of_single(name, value, error)
      character(*), intent(in) :: name
      real, intent(in) :: value
      integer, intent(out), optional :: error
      call value_of_double(name, real(value, c_double), error)
   end subroutine

   subroutine value_of_integer(name, value, error)
      character(*), intent(in) :: name
      integer, intent(in) :: value
      integer, intent(out), optional :: error
      call value_of_double(name, real(value, c_double), error)
   end subroutine
end module
