! MOVE_ALLOC of objects of a class: the type goes along, from where it is declared, too, and what is left is of the declared one.
! RUN: %levels %s double 0.8317 1.3123 0.4719 1.1231 0.6637 0.9341
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
  type, abstract :: law
  contains
    procedure(value_i), deferred :: value
  end type
  abstract interface
    function value_i(self, t) result(v)
      import
      class(law), intent(in) :: self
      real(dp), intent(in) :: t
      real(dp) :: v
    end function
  end interface
  type, extends(law) :: linear
    real(dp) :: slope = 1
  contains
    procedure :: value => linear_value
  end type
  type, extends(law) :: table
    real(dp), allocatable :: at(:)
  contains
    procedure :: value => table_value
  end type
  type :: box
    class(law), allocatable :: it
  end type
contains
  function linear_value(self, t) result(v)
    class(linear), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    v = self%slope * t
  end function
  function table_value(self, t) result(v)
    class(table), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: v
    v = dot_product(self%at, [(t**k, integer :: k = 1, size(self%at))])
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(box) :: a, b
    class(law), allocatable :: spare
    type(table), allocatable :: own
    allocate(a%it, source=linear(x(1)))
    allocate(own)
    own%at = [x(2), x(3), x(4)]
    call move_alloc(own, b%it)
    y = a%it%value(x(5)) + 2 * b%it%value(x(6))
    call move_alloc(a%it, spare)
    call move_alloc(b%it, a%it)
    call move_alloc(spare, b%it)
    y = y * (a%it%value(x(5)) + 3 * b%it%value(x(6)))
    if (allocated(spare) .or. allocated(own)) y = 0
  end function
end module
include 'requests.inc'
