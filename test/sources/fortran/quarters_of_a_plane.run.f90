! A tree of objects that hold an array of their own type beside numbers, filled and walked by recursion, as Barnes and Hut do it.
! RUN: %levels %s conditioned 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: body
    real(dp) :: at(2), mass
  end type
  type :: quarter
    type(body), allocatable :: only
    type(quarter), allocatable :: inner(:)
    real(dp) :: centre(2) = 0, half = 0, mass = 0, at(2) = 0
  end type
contains
  recursive subroutine add(q, b, depth)
    type(quarter), intent(inout) :: q
    type(body), intent(in) :: b
    integer, intent(in) :: depth
    integer :: i
    q%at = (q%at*q%mass + b%at*b%mass)/(q%mass + b%mass)
    q%mass = q%mass + b%mass
    if (allocated(q%inner)) then
      call add(q%inner(which(q, b%at)), b, depth + 1)
    else if (allocated(q%only) .and. depth < 4) then
      allocate (q%inner(4))
      do i = 1, 4
        q%inner(i)%half = q%half/2
        q%inner(i)%centre = q%centre + q%half/2*[merge(1, -1, mod(i, 2) == 0), merge(1, -1, i > 2)]
      end do
      call add(q%inner(which(q, q%only%at)), q%only, depth + 1)
      deallocate (q%only)
      call add(q%inner(which(q, b%at)), b, depth + 1)
    else
      q%only = b
    end if
  end subroutine
  pure integer function which(q, p)
    type(quarter), intent(in) :: q
    real(dp), intent(in) :: p(2)
    which = 1 + merge(1, 0, p(1) > q%centre(1)) + merge(2, 0, p(2) > q%centre(2))
  end function
  recursive function force(q, p) result(f)
    type(quarter), intent(in) :: q
    real(dp), intent(in) :: p(2)
    real(dp) :: f(2), d(2), r2
    integer :: i
    f = 0
    if (q%mass <= 0) return
    d = q%at - p
    r2 = sum(d**2) + 0.01_dp
    if (.not. allocated(q%inner) .or. q%half**2 < 0.3_dp*r2) then
      f = q%mass*d/(r2*sqrt(r2))
    else
      do i = 1, size(q%inner)
        f = f + force(q%inner(i), p)
      end do
    end if
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(quarter) :: q
    type(body) :: b(5)
    integer :: i
    q%half = 4
    do i = 1, 5
      b(i)%at = [cos(1.3_dp*i)*x(1) + 0.1_dp, sin(1.7_dp*i)*x(2) - 0.05_dp]
      b(i)%mass = x(3)*i + 0.1_dp*x(4)
      call add(q, b(i), 0)
    end do
    y = 0
    do i = 1, 5
      y = y + sum(force(q, b(i)%at)*[1, 2])
    end do
  end function
end module
include 'requests.inc'
