! A text that is trimmed before it is compared stands beside numbers.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module column_mod
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type :: column_t
    real(dp), allocatable :: t(:)
    character(len=8) :: eos = 'linear'
    real(dp) :: w = 1
  end type
contains
  function density(c) result(r)
    type(column_t), intent(in) :: c
    real(dp) :: r
    select case (trim(c%eos))
    case ('linear')
      r = sum(c%t)
    case ('quad')
      r = sum(c%t**2)
    case default
      r = 1
    end select
  end function
end module
module program_under_test
  use column_mod
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(column_t) :: c
    c%eos = 'quad'
    allocate(c%t(n))
    c%t = x
    c%w = x(1)
    y = density(c) * c%w
  end function
end module

include 'requests.inc'
