! A shallow-water model whose fields have FINAL procedures, with limiters behind a procedure pointer and MOVE_ALLOC.
! RUN: %levels %s double 0.3 0.8 0.5 0.4 0.2 0.9
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: field_t
    real(dp), allocatable :: q(:, :)
    integer :: lo = 0, hi = 0
    character(len=8) :: name = ' '
  contains
    procedure :: init => field_init
    procedure :: total
    final :: field_done
  end type
  type :: model_t
    type(field_t) :: h, u, v
    real(dp) :: dt, dx, g
    procedure(limiter_i), pointer, nopass :: limit => null()
  contains
    procedure :: step
    procedure, private :: halo
    generic :: fill => halo
  end type
  abstract interface
    pure function limiter_i(a, b) result(c)
      import dp
      real(dp), intent(in) :: a, b
      real(dp) :: c
    end function
  end interface
contains
  subroutine field_init(this, n, name)
    class(field_t), intent(inout) :: this
    integer, intent(in) :: n
    character(len=*), intent(in) :: name
    allocate (this%q(0:n + 1, 0:n + 1), source=0d0)
    this%lo = 1; this%hi = n; this%name = name
  end subroutine
  subroutine field_done(this)
    type(field_t), intent(inout) :: this
    if (allocated(this%q)) deallocate (this%q)
  end subroutine
  real(dp) function total(this)
    class(field_t), intent(in) :: this
    total = sum(this%q(this%lo:this%hi, this%lo:this%hi))
  end function
  pure function albada(a, b) result(c)
    real(dp), intent(in) :: a, b
    real(dp) :: c
    real(dp), parameter :: e = 0.01d0
    c = (a*(b*b + e) + b*(a*a + e))/(a*a + b*b + 2*e)
  end function
  pure function bounded(a, b) result(c)
    real(dp), intent(in) :: a, b
    real(dp) :: c
    c = 0.5d0*tanh(a + b)
  end function
  subroutine halo(this, f)
    class(model_t), intent(in) :: this
    type(field_t), intent(inout) :: f
    associate (q => f%q, lo => f%lo, hi => f%hi)
      q(lo - 1, :) = q(hi, :)
      q(hi + 1, :) = q(lo, :)
      q(:, lo - 1) = q(:, hi)
      q(:, hi + 1) = q(:, lo)
    end associate
  end subroutine
  subroutine step(this)
    class(model_t), intent(inout) :: this
    real(dp), allocatable :: flux(:, :), hn(:, :)
    integer :: i, j
    real(dp) :: s, left
    call this%fill(this%h); call this%fill(this%u); call this%fill(this%v)
    associate (h => this%h%q, u => this%u%q, v => this%v%q, n => this%h%hi)
      allocate (flux, mold=h)
      hn = h
      do concurrent(j=1:n, i=1:n)
        u(i, j) = u(i, j) - this%dt*this%g*(h(i + 1, j) - h(i - 1, j))/(2*this%dx)
        v(i, j) = v(i, j) - this%dt*this%g*(h(i, j + 1) - h(i, j - 1))/(2*this%dx)
      end do
      flux = 0
      do j = 1, n
        do i = 1, n
          s = this%limit(h(i, j) - h(i - 1, j), h(i + 1, j) - h(i, j))
          left = h(i, j) + 0.5d0*s*(1 - u(i, j))
          flux(i, j) = left*u(i, j)
        end do
      end do
      flux(0, :) = flux(n, :)
      do j = 1, n
        hn(1:n, j) = h(1:n, j) - this%dt/this%dx*(flux(1:n, j) - flux(0:n - 1, j))
      end do
      where (hn < 0.1d0)
        hn = 0.1d0 + 0.01d0*(hn - 0.1d0)
      end where
      call move_alloc(hn, this%h%q)
    end associate
  end subroutine
  function f(x, n) bind(C) result(y)
    integer(c_int), value :: n
    real(c_double) :: x(n), y
    type(model_t) :: m
    integer :: i, j, t
    call m%h%init(6, 'h'); call m%u%init(6, 'u'); call m%v%init(6, 'v')
    m%dt = 0.05d0; m%dx = 0.5d0 + 0.1d0*x(n); m%g = 9.8d0 + x(2)
    do j = 1, 6
      do i = 1, 6
        m%h%q(i, j) = 1 + 0.3d0*sin(x(1 + mod(i + j, n))*i) + 0.01d0*j
        m%u%q(i, j) = 0.1d0*x(1 + mod(i*j, n))
      end do
    end do
    do t = 1, 6
      select case (mod(t, 3))
      case (0)
        m%limit => bounded
      case default
        m%limit => albada
      end select
      call m%step()
    end do
    y = m%h%total() + sum(m%u%q**2) + maxval(m%v%q) + norm2(m%h%q(1, :))
  end function
end module
include 'requests.inc'
