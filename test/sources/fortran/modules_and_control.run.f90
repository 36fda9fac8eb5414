! Two modules, parameters, DO WHILE, EXIT, CYCLE, GOTO, SELECT CASE, recursion kept out.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module physics
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), parameter :: gravity = 9.81d0, rates(3) = [0.1d0, 0.2d0, 0.4d0]
contains
  pure function drag(v, kind) result(d)
    real(c_double), intent(in) :: v
    integer, intent(in) :: kind
    real(c_double) :: d
    select case (kind)
    case (1)
      d = rates(1) * v
    case (2:3)
      d = rates(kind) * v * abs(v)
    case default
      d = 0
    end select
  end function
end module

module program_under_test
  use, intrinsic :: iso_c_binding
  use physics
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, v, h, t
    integer :: step, kind
    v = x(1)
    h = 10 + x(2)
    t = 0
    step = 0
    do while (h > 9 .and. step < 200)
      step = step + 1
      kind = mod(step, 5)
      if (kind == 4) cycle
      v = v + 0.01d0 * (gravity - drag(v, kind) + x(3))
      h = h - 0.01d0 * v
      t = t + 0.01d0 * h
      if (t > 5) exit
    end do
    if (v > 100) goto 20
    step = 0
10  v = v * cos(x(n))
    step = step + 1
    if (step < 3) goto 10
20  y = v * t + h
  end function
end module

include 'requests.inc'
