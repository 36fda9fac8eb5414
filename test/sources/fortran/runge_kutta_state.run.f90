! Orbits by Runge and Kutta: the state is an object with operators of its own, and a procedure that is passed.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module ode
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type :: state
    real(dp) :: q(2), p(2)
    integer :: step = 0
  end type
  interface operator(+)
    module procedure add
  end interface
  interface operator(*)
    module procedure scale
  end interface
  abstract interface
    function rhs(s, mu) result(d)
      import :: state, dp
      type(state), intent(in) :: s
      real(dp), intent(in) :: mu
      type(state) :: d
    end function
  end interface
contains
  elemental function add(a, b) result(c)
    type(state), intent(in) :: a, b
    type(state) :: c
    c%q = a%q + b%q
    c%p = a%p + b%p
    c%step = a%step
  end function
  elemental function scale(a, s) result(c)
    real(dp), intent(in) :: a
    type(state), intent(in) :: s
    type(state) :: c
    c%q = a * s%q
    c%p = a * s%p
    c%step = s%step
  end function
  function kepler(s, mu) result(d)
    type(state), intent(in) :: s
    real(dp), intent(in) :: mu
    type(state) :: d
    real(dp) :: r
    r = norm2(s%q)
    d%q = s%p
    d%p = -mu * s%q / r**3
  end function
  subroutine rk4(fun, s, h, mu)
    procedure(rhs) :: fun
    type(state), intent(inout) :: s
    real(dp), intent(in) :: h, mu
    type(state) :: k1, k2, k3, k4
    k1 = fun(s, mu)
    k2 = fun(s + (h / 2) * k1, mu)
    k3 = fun(s + (h / 2) * k2, mu)
    k4 = fun(s + h * k3, mu)
    s = s + (h / 6) * (k1 + 2.0_dp * k2 + 2.0_dp * k3 + k4)
    s%step = s%step + 1
  end subroutine
end module

module program_under_test
  use ode
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(state) :: s
    type(state), allocatable :: history(:)
    integer :: i
    s%q = [1.0_dp + 0.1_dp * x(1), 0.0_dp]
    s%p = [0.1_dp * x(2), 1.0_dp + 0.1_dp * x(3)]
    allocate(history(0:20))
    history(0) = s
    do i = 1, 20
      call rk4(kepler, s, 0.05_dp, x(4))
      history(i) = s
    end do
    y = 0
    do i = 0, 20, 5
      y = y + sum(history(i)%q * history(i)%p) + history(i)%q(1) * history(i)%step
    end do
    deallocate(history)
  end function
end module

include 'requests.inc'
