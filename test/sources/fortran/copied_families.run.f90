! RUN: %levels %s double 0.55 1.3 0.7 0.9
! An object that holds objects of other types of its family, one of which may be of its own type, is allocated as a copy of another: where one
! type has numbers, another has what describes its components.
module base_m
  use iso_c_binding, only: dp => c_double
  implicit none
  type, abstract :: integrand_t
  contains
    procedure(eval_i), deferred :: eval
  end type
  abstract interface
    real(dp) function eval_i(self, t)
      import
      class(integrand_t), intent(in) :: self
      real(dp), intent(in) :: t
    end function
    pure real(dp) function map_i(t)
      import
      real(dp), intent(in) :: t
    end function
  end interface
  type, extends(integrand_t) :: gauss_t
    real(dp) :: mu, sig
    procedure(map_i), pointer, nopass :: map => null()
  contains
    procedure :: eval => gauss_eval
  end type
  type, extends(integrand_t) :: sum_t
    class(integrand_t), allocatable :: a, b
    real(dp) :: wt
  contains
    procedure :: eval => sum_eval
  end type
contains
  pure real(dp) function ident(t)
    real(dp), intent(in) :: t
    ident = t
  end function
  pure real(dp) function warp(t)
    real(dp), intent(in) :: t
    warp = t + 0.1_dp*sin(t)
  end function
  real(dp) function gauss_eval(self, t) result(r)
    class(gauss_t), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: z
    z = (self%map(t) - self%mu)/self%sig
    r = exp(-z*z/2)/self%sig
  end function
  recursive real(dp) function sum_eval(self, t) result(r)
    class(sum_t), intent(in) :: self
    real(dp), intent(in) :: t
    r = self%wt*self%a%eval(t) + (1 - self%wt)*self%b%eval(t)
  end function
end module
module program_under_test
  use iso_c_binding
  use base_m
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    class(integrand_t), allocatable :: top
    type(sum_t) :: s
    allocate(s%a, source=gauss_t(x(1), x(2), ident))
    allocate(s%b, source=gauss_t(x(3), 0.5_dp + x(4), warp))
    s%wt = x(4)
    allocate(top, source=s)
    y = top%eval(x(1))
  end function
end module
include 'requests.inc'
