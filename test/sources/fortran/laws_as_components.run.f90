! Laws as procedure pointers in components that have initial values, in objects that are copied, allocated like others and nested.
! RUN: %levels %s conditioned 0.8 1.3 0.4 2.1
module laws
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  abstract interface
    function law_of(t, p) result(y)
      import :: dp
      real(dp), intent(in) :: t, p(:)
      real(dp) :: y
    end function
  end interface
  type :: law
    real(dp), allocatable :: p(:)
    procedure(law_of), pointer, nopass :: value => straight
    procedure(law_of), pointer, nopass :: slope => null()
    real(dp) :: weight = 1
  end type
  type :: pair
    type(law) :: one, other
    procedure(combine), pointer :: join => null()
  end type
  abstract interface
    function combine(self, t) result(y)
      import :: pair, dp
      class(pair), intent(in) :: self
      real(dp), intent(in) :: t
      real(dp) :: y
    end function
  end interface
contains
  function straight(t, p) result(y)
    real(dp), intent(in) :: t, p(:)
    real(dp) :: y
    y = p(1) + p(2) * t
  end function
  function bent(t, p) result(y)
    real(dp), intent(in) :: t, p(:)
    real(dp) :: y
    y = p(1) * exp(-p(2) * t**2)
  end function
  function bent_slope(t, p) result(y)
    real(dp), intent(in) :: t, p(:)
    real(dp) :: y
    y = -2 * p(2) * t * bent(t, p)
  end function
  function times(self, t) result(y)
    class(pair), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: y
    y = self%one%weight * self%one%value(t, self%one%p) * self%other%value(t, self%other%p)
    if (associated(self%other%slope)) y = y + self%other%slope(t, self%other%p)
  end function
end module
module program_under_test
  use laws
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(law) :: a, b
    type(pair) :: p, q
    type(law), allocatable :: many(:), more(:)
    integer :: i
    a%p = [x(1), x(2)]
    b = a
    b%value => bent
    b%slope => bent_slope
    b%weight = x(3)
    p%one = a
    p%other = b
    p%join => times
    q = p
    q%one = b
    y = 0
    do i = 1, 4
      y = y + times(p, 0.2_dp * i) + times(q, 0.1_dp * i * x(4))
    end do
  end function
end module
include 'requests.inc'
