! SPDX-License-Identifier: BSD-3-Clause
!
! Calls for measured Fortran programs. Compile this file with the program's compiler, before the sources that contain
! `use heddle`; nothing has to be linked. Without Heddle in the process, every call does nothing.
!
!     use heddle
!     call heddle_phase_begin('solve')
!     call heddle_value('residual', r)
!     call heddle_phase_end('solve')
!
! Trailing blanks of names are ignored. Each call has an optional integer result, which is 0 or a negative errno.
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

   ! Starts measurement of the whole process.
   subroutine heddle_start(error)
      integer, intent(out), optional :: error
      call call_without('heddle_measure_start', error)
   end subroutine

   ! Stops measurement of the whole process until heddle_start.
   subroutine heddle_stop(error)
      integer, intent(out), optional :: error
      call call_without('heddle_measure_stop', error)
   end subroutine

   ! Writes the current profile; measurement continues.
   subroutine heddle_flush(error)
      integer, intent(out), optional :: error
      call call_without('heddle_measure_flush', error)
   end subroutine

   ! Begins a phase of the calling thread. Phases nest.
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

   ! Ends the innermost open phase of the calling thread, which must have that name.
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

   ! Records a value at the current path. heddle_value takes reals of both kinds and integers.
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
