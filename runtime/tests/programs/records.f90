! The tape from Fortran, through iso_c_binding.
module tape
  use iso_c_binding
  implicit none
  interface
    function bs_tape_of_thread() bind(c)
      import :: c_ptr
      type(c_ptr) :: bs_tape_of_thread
    end function
    function bs_tape_push_slow(tape, bytes, name) bind(c)
      import :: c_ptr, c_size_t, c_char
      type(c_ptr), value :: tape
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: bs_tape_push_slow
    end function
    function bs_tape_pop_slow(tape, bytes, name) bind(c)
      import :: c_ptr, c_size_t, c_char
      type(c_ptr), value :: tape
      integer(c_size_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: bs_tape_pop_slow
    end function
  end interface
end module

program records
  use tape
  implicit none
  type(c_ptr) :: mine
  real(c_double), pointer :: record(:)
  integer :: i
  character(kind=c_char), parameter :: name(8) = &
    [character(kind=c_char) :: 'r', 'e', 'c', 'o', 'r', 'd', 's', c_null_char]
  mine = bs_tape_of_thread()
  do i = 1, 10000
    call c_f_pointer(bs_tape_push_slow(mine, 24_c_size_t, name), record, [3])
    record = [1.0d0 * i, 2.0d0 * i, 3.0d0 * i]
  end do
  do i = 10000, 1, -1
    call c_f_pointer(bs_tape_pop_slow(mine, 24_c_size_t, name), record, [3])
    if (any(record /= [1.0d0 * i, 2.0d0 * i, 3.0d0 * i])) error stop 1
  end do
end program
