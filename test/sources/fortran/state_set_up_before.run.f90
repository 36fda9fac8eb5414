! A grid and a state of a module that the program sets up before it asks for a gradient.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module state
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  integer :: nx
  real(dp), allocatable :: grid(:), u(:), flux(:)
contains
  subroutine initialise(n)
    integer, intent(in) :: n
    integer :: i
    nx = n
    allocate(grid(0:n), u(n), flux(0:n))
    do i = 0, n
      grid(i) = i * 0.1_dp + 0.001_dp * i * i
    end do
    u = 0
    flux = 0
  end subroutine
end module
module program_under_test
  use state
  implicit none
contains
  subroutine step(dt)
    real(dp), intent(in) :: dt
    integer :: i
    flux(0) = u(1)**2 / 2
    do i = 1, nx - 1
      flux(i) = (u(i)**2 + u(i+1)**2) / 4 / (1 + grid(i))
    end do
    flux(nx) = u(nx)**2 / 2
    do i = 1, nx
      u(i) = u(i) - dt * (flux(i) - flux(i-1))
    end do
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: k
    u = x
    do k = 1, 5
      call step(0.05_dp)
    end do
    y = sum(u**2 * grid(1:nx))
  end function
end module
module hooks
  interface
    subroutine backsweep_gradient(f, x, dx, n) bind(C, name="__backsweep_gradient_void")
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), dx(*)
    end subroutine
    function backsweep_tangent(f, x, dx, n) bind(C, name="__backsweep_tangent") result(d)
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), dx(*), d
    end function
  end interface
end module
function primal(x, n) bind(C) result(y)
  use program_under_test
  integer(c_int), value :: n
  real(dp) :: x(n), y
  if (.not. allocated(u)) call initialise(n)
  y = f(x, n)
end function
subroutine gradient(x, dx, n) bind(C)
  use, intrinsic :: iso_c_binding
  use program_under_test
  use hooks
  integer(c_int), value :: n
  real(c_double) :: x(n), dx(n)
  if (.not. allocated(u)) call initialise(n)
  call backsweep_gradient(c_funloc(f), x, dx, n)
end subroutine
function tangent(x, dx, n) bind(C) result(d)
  use, intrinsic :: iso_c_binding
  use program_under_test
  use hooks
  integer(c_int), value :: n
  real(c_double) :: x(n), dx(n), d
  if (.not. allocated(u)) call initialise(n)
  d = backsweep_tangent(c_funloc(f), x, dx, n)
end function
