! Several modules: parameters, generic interfaces, operators, private state, recursion, procedure arguments.
module kinds
  use iso_c_binding, only: c_double
  implicit none
  integer, parameter :: wp = c_double
  real(wp), parameter :: pi = acos(-1.0_wp)
end module

module planes
  use kinds
  implicit none
  private
  public :: plane, operator(+), operator(*), length
  type :: plane
    real(wp) :: a, b
  end type
  interface operator(+)
    module procedure add
  end interface
  interface operator(*)
    module procedure scale, dot
  end interface
  interface length
    module procedure length_of, length_of_all
  end interface
contains
  elemental function add(p, q) result(s)
    type(plane), intent(in) :: p, q
    type(plane) :: s
    s = plane(p%a + q%a, p%b + q%b)
  end function
  elemental function scale(factor, p) result(s)
    real(wp), intent(in) :: factor
    type(plane), intent(in) :: p
    type(plane) :: s
    s = plane(factor * p%a, factor * p%b)
  end function
  elemental function dot(p, q) result(s)
    type(plane), intent(in) :: p, q
    real(wp) :: s
    s = p%a * q%a + p%b * q%b
  end function
  function length_of(p) result(s)
    type(plane), intent(in) :: p
    real(wp) :: s
    s = sqrt(p * p)
  end function
  function length_of_all(all) result(s)
    type(plane), intent(in) :: all(:)
    real(wp) :: s
    integer :: i
    s = 0
    do i = 1, size(all)
      s = s + length_of(all(i))
    end do
  end function
end module

module corpus
  use iso_c_binding, only: c_int
  use kinds
  use planes
  implicit none
  abstract interface
    function curve(t) result(v)
      import wp
      real(wp), intent(in) :: t
      real(wp) :: v
    end function
  end interface
contains
  recursive function integrate(g, a, b, depth) result(s)
    procedure(curve) :: g
    real(wp), intent(in) :: a, b
    integer, intent(in) :: depth
    real(wp) :: s
    if (depth == 0) then
      s = (b - a) * g(0.5_wp * (a + b))
    else
      s = integrate(g, a, 0.5_wp * (a + b), depth - 1) + integrate(g, 0.5_wp * (a + b), b, depth - 1)
    end if
  end function

  function wave(t) result(v)
    real(wp), intent(in) :: t
    real(wp) :: v
    v = sin(pi * t) * exp(-t)
  end function

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(wp), intent(in) :: x(n)
    real(wp) :: r
    type(plane) :: all(3)
    all = [plane(x(1), x(2)), plane(x(3), x(4)), plane(1.0_wp, x(1))]
    all(2) = all(1) + 0.5_wp * all(2)
    r = length(all) + length(all(3)) + integrate(wave, x(1), x(4), 4) + all(1) * all(2)
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
