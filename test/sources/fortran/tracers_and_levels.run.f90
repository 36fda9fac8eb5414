! Tracers that flow and mix in columns, with operators and assignments of their own, and multigrid over a module's array of levels,
! whose arrays are deallocated and allocated anew: others then lie where those lay that were found on entry.
! RUN: %levels %s double 0.77 1.3 0.4 0.9 0.2 0.6
module grid_m
  implicit none
  integer, parameter :: wp = selected_real_kind(12)
  type grid_t
    integer :: nx, nz
    real(wp), pointer, contiguous :: dz(:) => null(), mask(:, :) => null()
  end type
  type tracer_t
    character(len=16) :: name
    type(grid_t), pointer :: g => null()
    real(wp), allocatable :: c(:, :), tend(:, :)
    logical :: passive = .false.
  end type
  type level_t
    type(level_t), pointer :: coarse => null()
    real(wp), allocatable :: u(:), r(:)
    real(wp) :: h
    integer :: n
  end type
  type level_ptr
    type(level_t), pointer :: p => null()
  end type
  interface operator(.dot.)
    module procedure dot_tracers
  end interface
  interface assignment(=)
    module procedure tracer_from_scalar
  end interface
contains
  real(wp) function dot_tracers(a, b)
    type(tracer_t), intent(in) :: a, b
    dot_tracers = sum(a%c*b%c*spread(a%g%dz, 1, a%g%nx))
  end function
  subroutine tracer_from_scalar(t, v)
    type(tracer_t), intent(inout) :: t
    real(wp), intent(in) :: v
    t%c = v*t%g%mask
  end subroutine
  subroutine make_grid(g, nx, nz, a)
    type(grid_t), intent(out) :: g
    integer, intent(in) :: nx, nz
    real(wp), intent(in) :: a
    integer :: k
    g%nx = nx; g%nz = nz
    allocate (g%dz(nz), g%mask(nx, nz))
    g%dz = [(1 + a*k, k=1, nz)]
    g%mask = 1
    g%mask(1, nz) = 0
  end subroutine
  pure subroutine thomas(n, a, b, c, d)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n), b(n), c(n)
    real(wp), intent(inout) :: d(n)
    real(wp) :: cp(n), m
    integer :: k
    cp(1) = c(1)/b(1)
    d(1) = d(1)/b(1)
    do k = 2, n
      m = 1/(b(k) - a(k)*cp(k - 1))
      cp(k) = c(k)*m
      d(k) = (d(k) - a(k)*d(k - 1))*m
    end do
    do k = n - 1, 1, -1
      d(k) = d(k) - cp(k)*d(k + 1)
    end do
  end subroutine
end module
module program_under_test
  use, intrinsic :: iso_c_binding
  use grid_m
  implicit none
  type(level_t), target, save :: pool(3)
contains
  subroutine vdiff(t, kappa, dt)
    type(tracer_t), intent(inout) :: t
    real(wp), intent(in) :: kappa(:), dt
    real(wp), dimension(t%g%nz) :: a, b, c
    integer :: i, k, nz
    nz = t%g%nz
    col: do i = 1, t%g%nx
      a = 0; c = 0
      do k = 1, nz
        if (k > 1) a(k) = -dt*kappa(k)/(t%g%dz(k)*0.5_wp*(t%g%dz(k) + t%g%dz(k - 1)))*t%g%mask(i, k)
        if (k < nz) c(k) = -dt*kappa(k + 1)/(t%g%dz(k)*0.5_wp*(t%g%dz(k) + t%g%dz(k + 1)))*t%g%mask(i, k + 1)
        b(k) = 1 - a(k) - c(k)
      end do
      if (all(t%g%mask(i, :) == 0)) cycle col
      call thomas(nz, a, b, c, t%c(i, :))
    end do col
  end subroutine
  subroutine advect(tr, u, dt)
    type(tracer_t), intent(inout), target :: tr(:)
    real(wp), intent(in) :: u(:, :), dt
    real(wp), pointer :: c(:, :)
    integer :: n, i, k, im
    do n = 1, size(tr)
      if (tr(n)%passive) cycle
      c => tr(n)%c
      do k = 1, size(c, 2)
        do i = 1, size(c, 1)
          im = merge(size(c, 1), i - 1, i == 1)
          tr(n)%tend(i, k) = -0.5_wp*u(i, k)*(c(im, k) + c(i, k)) + 0.5_wp*sqrt(u(i, k)**2 + 0.01_wp)*(c(i, k) - c(im, k))
        end do
      end do
      where (tr(n)%g%mask > 0) c = c + dt*(tr(n)%tend - cshift(tr(n)%tend, 1, 1))
    end do
  end subroutine
  recursive subroutine vcycle(l)
    type(level_t), intent(inout), target :: l
    integer :: i, s
    do s = 1, 2
      do i = 2, l%n - 1
        l%u(i) = 0.5_wp*(l%u(i - 1) + l%u(i + 1) + l%h**2*l%r(i)*(1 + 0.1_wp*l%u(i)))
      end do
    end do
    if (.not. associated(l%coarse)) return
    block
      type(level_t), pointer :: c
      c => l%coarse
      c%u = 0
      do i = 2, c%n - 1
        c%r(i) = l%r(2*i - 1) + (l%u(2*i - 2) - 2*l%u(2*i - 1) + l%u(2*i))/l%h**2
      end do
      call vcycle(c)
      do i = 2, c%n - 1
        l%u(2*i - 1) = l%u(2*i - 1) + c%u(i)
      end do
    end block
  end subroutine
  function f(x, n) bind(C) result(y)
    integer(c_int), value :: n
    real(c_double) :: x(n), y
    type(grid_t), target :: g
    type(tracer_t) :: tr(2)
    type(level_ptr) :: level(3)
    real(wp) :: u(4, 5), kappa(5)
    integer :: i, k, t
    call make_grid(g, 4, 5, 0.1_wp*x(1)**2)
    do i = 1, 2
      tr(i)%g => g
      allocate (tr(i)%c(4, 5), tr(i)%tend(4, 5))
      tr(i)%tend = 0
      tr(i) = x(i)
      tr(i)%name = merge('temperature', 'salinity   ', i == 1)
    end do
    tr(1)%c(2, :) = x(3)*[1, 2, 3, 4, 5]
    u = 0.3_wp*reshape([(sin(x(1 + mod(i, n))*i), i=1, 20)], [4, 5])
    kappa = exp(x(4)*[0.1_wp, 0.2_wp, 0.3_wp, 0.2_wp, 0.1_wp])
    do t = 1, 4
      call advect(tr, u, 0.1_wp)
      do i = 1, 2
        call vdiff(tr(i), kappa*i, 0.05_wp)
      end do
    end do
    y = (tr(1) .dot.tr(2)) + norm2(tr(1)%c)
    k = 17
    do i = 1, 3
      level(i)%p => pool(i)
      level(i)%p%n = k
      level(i)%p%h = 1._wp/(k - 1)
      if (allocated(level(i)%p%u)) deallocate (level(i)%p%u, level(i)%p%r)
      allocate (level(i)%p%u(k), level(i)%p%r(k))
      level(i)%p%u = 0; level(i)%p%r = 0
      if (i > 1) level(i - 1)%p%coarse => level(i)%p
      k = (k + 1)/2
    end do
    nullify (level(3)%p%coarse)
    do i = 2, 16
      level(1)%p%r(i) = 5*x(1 + mod(i, n))*sin(0.4_wp*i)
    end do
    do t = 1, 2
      call vcycle(level(1)%p)
    end do
    y = y + 10*sum(level(1)%p%u**2) + level(1)%p%u(9)
    deallocate (g%dz, g%mask)
  end function
end module
include 'requests.inc'
