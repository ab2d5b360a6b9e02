! SPDX-License-Identifier: BSD-3-Clause
program languages
   use heddle
   implicit none
   integer :: i, first, second, third
   call heddle_phase_begin('outer      ', first)
   do i = 1, 4
      call heddle_phase_begin('step')
      call heddle_value('residual', 1.5d0*i)
      call heddle_value('single', 0.5*i)
      call heddle_value('iteration', i)
      call heddle_phase_end('step')
   end do
   call heddle_phase_end('outer', second)
   call heddle_phase_end('nothing', third)
   print *, first, second, merge(0, 1, third == 0 .or. third == -22)
end program
