! Tangents of the gradient of objects that are assigned in a loop as a whole: whether one had to be made anew is found out in the forward
! sweep, so that a record of that is laid nowhere, and the way back that would take it is none.
! RUN: mkdir -p %t.dir && cd %t.dir
! RUN: %flang -O0 %pass %s -o %t.O0 %runtime && %t.O0
! RUN: %flang -O2 %pass %s -o %t.O2 %runtime && %t.O2
module objects
contains
  function f(x, n) result(y) bind(C)
    use, intrinsic :: iso_c_binding
    integer(c_int), value :: n
    real(c_double) :: x(n), y
    real(c_double), allocatable :: w(:), grown(:)
    integer :: i
    w = x
    do i = 1, 2
      w = w*w + x
    end do
    allocate (grown(0))
    do i = 1, n
      grown = [grown, x(i)*w(i)]
    end do
    y = sum(w**2) + sum(grown**2)
  end function
  subroutine gradient(x, dx, n) bind(C)
    use, intrinsic :: iso_c_binding
    integer(c_int), value :: n
    real(c_double) :: x(n), dx(n)
    interface
      subroutine autodiff(f, x, dx, n) bind(C, name="__enzyme_autodiff_v")
        use, intrinsic :: iso_c_binding
        type(c_funptr), value :: f
        integer(c_int), value :: n
        real(c_double) :: x(*), dx(*)
      end subroutine
    end interface
    call autodiff(c_funloc(f), x, dx, n)
  end subroutine
end module
program second
  use, intrinsic :: iso_c_binding
  use objects
  implicit none
  interface
    function first_tangent(f, x, dx, n) bind(C, name="__enzyme_fwddiff_first") result(d)
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), dx(*), d
    end function
    subroutine second_tangent(f, x, v, g, hv, n) bind(C, name="__enzyme_fwddiff_second")
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), v(*), g(*), hv(*)
    end subroutine
  end interface
  integer, parameter :: n = 6
  real(c_double), parameter :: h = 1d-5
  real(c_double) :: x(n), v(n), g(n), hv(n), ahead(n), behind(n), one(n), expected, first
  integer :: i, bad
  x = [0.7d0, 1.3d0, 0.4d0, 0.9d0, 0.2d0, 0.6d0]
  v = [0.3d0, -0.2d0, 0.5d0, 0.1d0, -0.7d0, 0.4d0]
  g = 0
  hv = 0
  call second_tangent(c_funloc(gradient), x, v, g, hv, n)
  ahead = 0
  behind = 0
  call gradient(x + h * v, ahead, n)
  call gradient(x - h * v, behind, n)
  bad = 0
  do i = 1, n
    expected = (ahead(i) - behind(i)) / (2 * h)
    if (abs(hv(i) - expected) > 1d-7 * max(1d0, abs(expected))) then
      print *, i, hv(i), 'not', expected
      bad = 1
    end if
    one = 0
    one(i) = 1
    first = first_tangent(c_funloc(f), x, one, n)
    if (abs(g(i) - first) > 5d-13 * max(1d0, abs(first))) then
      print *, 'gradient', i, g(i), 'not', first
      bad = 1
    end if
  end do
  if (bad /= 0) error stop 1
end program
