! DO WHILE, GOTO, computed GOTO, EXIT and CYCLE with names, arithmetic IF, SELECT CASE.
module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    real(c_double) :: y, step
    integer :: i, j, state
    y = 1.0d0 + x(1) * x(1)
    i = 0
    do while (abs(y * y - 2.0d0 - x(2)) > 1.0d-9 .and. i < 40)
      y = 0.5d0 * (y + (2.0d0 + x(2)) / y)
      i = i + 1
    end do
    r = y
    state = 1
10  continue
    go to (20, 30, 40), state
    go to 50
20  r = r + x(3) * y
    state = 3
    go to 10
30  r = sin(r)
    state = 4
    go to 10
40  r = r * x(4)
    state = 2
    go to 10
50  continue
    rows: do i = 1, 6
      do j = 1, 6
        step = r / (i + j)
        if (j > i) cycle rows
        if (i * j > 20) exit rows
        select case (mod(i, 4))
        case (0)
          r = r + 0.1d0 * step
        case (1:2)
          r = r - 0.05d0 * step * step
        case default
          r = r + 0.01d0
        end select
      end do
    end do rows
  end function
end module

program print_value
  use iso_c_binding, only: c_double
  use corpus
  implicit none
  real(c_double) :: x(4)
  x = [0.5d0, -0.25d0, 0.75d0, 1.25d0]
  print '(ES20.12)', f(x, 4)
end program
