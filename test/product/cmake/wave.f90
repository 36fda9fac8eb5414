module models
  implicit none
contains
  function wave(x) result(y)
    real(8), intent(in) :: x(:)
    real(8) :: y
    y = x(1) * sin(x(2))
  end function
end module

program main
  use models
  use backsweep
  implicit none
  real(8) :: x(2), dx(2)
  x = [2d0, 0.5d0]
  dx = 0
  call gradient(wave, x, dx)
  if (abs(dx(2) - 2 * cos(0.5d0)) > 1d-14) stop 1
end program
