! Bodies under a force that is allocated by its type, beside objects that own arrays of others.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: vec3
    real(dp) :: x = 0, y = 0, z = 0
  end type
  type :: body
    integer :: id = 0
    type(vec3) :: at, vel
    real(dp) :: mass = 1
    logical :: fixed = .false.
    character(len=8) :: label = 'none'
  end type
  type :: system
    integer :: count = 0
    type(body), allocatable :: bodies(:)
    real(dp) :: time = 0
  end type
  type, abstract :: force
    real(dp) :: strength = 1
  contains
    procedure(pull), deferred :: apply
  end type
  abstract interface
    function pull(self, a, b) result(v)
      import force, body, vec3
      class(force), intent(in) :: self
      type(body), intent(in) :: a, b
      type(vec3) :: v
    end function
  end interface
  type, extends(force) :: spring
    real(dp) :: rest = 1
  contains
    procedure :: apply => spring_apply
  end type
  type, extends(force) :: gravity
  contains
    procedure :: apply => gravity_apply
  end type
  interface operator(+)
    module procedure add
  end interface
  interface operator(*)
    module procedure scale
  end interface
contains
  elemental function add(a, b) result(c)
    type(vec3), intent(in) :: a, b
    type(vec3) :: c
    c = vec3(a%x + b%x, a%y + b%y, a%z + b%z)
  end function
  elemental function scale(s, a) result(c)
    real(dp), intent(in) :: s
    type(vec3), intent(in) :: a
    type(vec3) :: c
    c = vec3(s * a%x, s * a%y, s * a%z)
  end function
  function spring_apply(self, a, b) result(v)
    class(spring), intent(in) :: self
    type(body), intent(in) :: a, b
    type(vec3) :: v
    v = (self%strength * self%rest) * (b%at + (-1.0_dp) * a%at)
  end function
  function gravity_apply(self, a, b) result(v)
    class(gravity), intent(in) :: self
    type(body), intent(in) :: a, b
    type(vec3) :: v, d
    real(dp) :: r2
    d = b%at + (-1.0_dp) * a%at
    r2 = d%x**2 + d%y**2 + d%z**2 + 0.1_dp
    v = (self%strength * b%mass / (r2 * sqrt(r2))) * d
  end function
  subroutine advance(s, law, h)
    type(system), intent(inout) :: s
    class(force), intent(in) :: law
    real(dp), intent(in) :: h
    type(vec3) :: acc
    integer :: i, j
    do i = 1, s%count
      if (s%bodies(i)%fixed) cycle
      acc = vec3()
      do j = 1, s%count
        if (i /= j) acc = acc + law%apply(s%bodies(i), s%bodies(j))
      end do
      s%bodies(i)%vel = s%bodies(i)%vel + h * acc
      s%bodies(i)%at = s%bodies(i)%at + h * s%bodies(i)%vel
    end do
    s%time = s%time + h
  end subroutine
  function make(n, x) result(s)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    type(system) :: s
    integer :: i
    s%count = n
    allocate(s%bodies(n))
    do i = 1, n
      s%bodies(i)%id = i
      s%bodies(i)%at = vec3(x(i), x(i)**2, 0.1_dp * i)
      s%bodies(i)%mass = 1 + x(i)**2
      s%bodies(i)%label = 'body'
    end do
    s%bodies(2)%fixed = .true.
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(system) :: s
    type(body) :: moved
    class(force), allocatable :: law
    integer :: i
    s = make(n, x)
    allocate(spring :: law)
    law%strength = x(2)
    call advance(s, law, 0.1_dp)
    law%strength = x(3)
    do i = 1, 3
      call advance(s, law, 0.05_dp)
    end do
    moved = s%bodies(1)
    s%bodies(1) = s%bodies(4)
    s%bodies(4) = moved
    y = s%time * x(1)
    do i = 1, s%count
      y = y + s%bodies(i)%id * s%bodies(i)%mass * s%bodies(i)%at%x + s%bodies(i)%vel%y**2
    end do
  end function
end module
include 'requests.inc'
