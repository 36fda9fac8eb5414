! Records that take their names from arguments, which others look at, too: what is copied there is a text.
! RUN: %levels %s double 0.62 1.27 0.31 0.83
module names_of_records
  use iso_c_binding, only: dp => c_double
  implicit none
  type tracer
    character(len=12) :: name = ' '
    real(dp), allocatable :: c(:,:)
    type(tracer), pointer :: next => null()
    logical :: passive = .true.
  end type
  type registry
    type(tracer), pointer :: head => null()
    integer :: n = 0
  end type
contains
  subroutine add(reg, name)
    type(registry), intent(inout) :: reg
    character(len=*), intent(in) :: name
    type(tracer), pointer :: t
    allocate(t)
    t%name = name
    allocate(t%c(4, 2))
    t%c = 0
    t%passive = index(name, 'active') == 0
    t%next => reg%head
    reg%head => t
    reg%n = reg%n + 1
  end subroutine
end module
module program_under_test
  use iso_c_binding
  use names_of_records
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(registry) :: reg
    type(tracer), pointer :: t
    character(len=4) :: word
    call add(reg, 'salt active')
    call add(reg, 'dye')
    word = 'heat'
    if (x(1) > 0.1_dp) word(3:4) = 'ap'
    call add(reg, word // 'active')
    t => reg%head
    do while (associated(t))
      t%c(:,1) = t%c(:,1) + x*len_trim(t%name)
      if (t%passive) t%c(:,2) = t%c(:,1)**2
      t => t%next
    end do
    y = sum(reg%head%c**2) + sum(reg%head%next%c)**2
    do while (associated(reg%head))
      t => reg%head%next
      deallocate(reg%head)
      reg%head => t
    end do
  end function
end module
include 'requests.inc'
