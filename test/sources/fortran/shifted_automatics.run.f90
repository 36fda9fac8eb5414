! Circular shifts, to and fro, of arrays whose shape is known as the program runs. Flang says of the index of each element that it is never
! negative on its way, which it is where it comes round the edge: who believed that read in front of the array.
! RUN: %levels %s double 0.3 0.7 1.1 0.45 0.9
module program_under_test
  use iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: field
    real(dp), allocatable :: v(:,:)
  end type
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(field) :: a, b
    integer :: i, j, it
    allocate(a%v(6,5), b%v(6,5))
    do concurrent (i=1:6, j=1:5)
      a%v(i,j) = x(1)*sin(0.5_dp*j) + x(2)*cos(0.4_dp*i) + x(3)
    end do
    do it = 1, 3
      call step(a, b)
      a%v = a%v + 0.1_dp*b%v*x(4)
    end do
    y = sum(a%v**2)*x(5)
  contains
    subroutine step(a, b)
      type(field), intent(in) :: a
      type(field), intent(inout) :: b
      real(dp) :: fx(6,5), fy(size(a%v,1), size(a%v,2))
      fx = 0.5_dp*(a%v + cshift(a%v, 1, 1))*a%v
      fy = 0.5_dp*(a%v + cshift(a%v, 1, 2))*a%v
      b%v = -(fx - cshift(fx, -1, 1) + fy - cshift(fy, -1, 2))
    end subroutine
  end function
end module

include 'requests.inc'
