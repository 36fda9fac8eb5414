! A model in a variable of a module: derived types with allocatable components, set up once.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module state
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type field
    integer :: nx = 0
    real(dp), allocatable :: v(:)
    real(dp) :: scale = 1
  end type
  type model
    type(field) :: t, s
    real(dp), allocatable :: z(:)
    integer :: nx = 0
  end type
  type(model) :: ocean
contains
  subroutine initialise(n)
    integer, intent(in) :: n
    integer :: i
    if (allocated(ocean%z)) return
    ocean%nx = n
    ocean%t%nx = n
    allocate(ocean%t%v(n), ocean%s%v(n), ocean%z(n))
    do i = 1, n
      ocean%z(i) = i * 0.1_dp + 0.001_dp * i * i
    end do
    ocean%t%scale = 2
    ocean%t%v = 0
    ocean%s%v = 0
  end subroutine
end module
module program_under_test
  use state
  implicit none
contains
  subroutine step(dt)
    real(dp), intent(in) :: dt
    integer :: i
    do i = 2, ocean%nx
      ocean%t%v(i) = ocean%t%v(i) - dt * ocean%s%v(i-1) * ocean%t%v(i) / ocean%z(i)
      ocean%s%v(i) = ocean%s%v(i) + dt * ocean%t%v(i-1)**2 * ocean%t%scale
    end do
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: k
    call initialise(n)
    ocean%t%v = x
    ocean%s%v = x**2
    do k = 1, 3
      call step(0.05_dp)
    end do
    y = sum(ocean%t%v**2 * ocean%z) + sum(ocean%s%v)
  end function
end module

include 'requests.inc'
