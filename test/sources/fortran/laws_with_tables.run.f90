! A function that returns an object of one type or of another. Where one has a number the other has an array.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type, abstract :: law
    real(dp) :: rate
  contains
    procedure(ev), deferred :: eval
  end type
  type, extends(law) :: tabled
    real(dp), allocatable :: values(:)
  contains
    procedure :: eval => tabled_eval
  end type
  type, extends(law) :: square
    real(dp) :: factor
  contains
    procedure :: eval => square_eval
  end type
  abstract interface
    function ev(self, t) result(v)
      import law, dp
      class(law), intent(inout) :: self
      real(dp), intent(in) :: t
      real(dp) :: v
    end function
  end interface
contains
  function tabled_eval(self, t) result(v)
    class(tabled), intent(inout) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    if (.not. allocated(self%values)) allocate (self%values(2), source=self%rate)
    self%values(2) = self%values(2)*t
    v = sum(self%values)*t
  end function
  function square_eval(self, t) result(v)
    class(square), intent(inout) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    v = self%factor*t*t + self%rate
  end function
  function make(name, rate) result(l)
    character(*), intent(in) :: name
    real(dp), intent(in) :: rate
    class(law), allocatable :: l
    select case (trim(name))
    case ('tabled')
      l = tabled(rate=rate)
    case default
      allocate (square :: l)
      l%rate = rate
      select type (l)
      type is (square)
        l%factor = 2*rate
      end select
    end select
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    class(law), allocatable :: l
    character(len=8) :: names(2)
    integer :: i
    names = [character(len=8) :: 'tabled', 'square']
    y = 0
    do i = 1, 2
      l = make(names(i), x(i))
      y = y + l%eval(x(3))*x(4) + l%eval(x(1))
    end do
  end function
end module
include 'requests.inc'
