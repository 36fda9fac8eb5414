! RUN: %levels %s double 0.8 1.3 0.4 2.1 0.7
! What an object is bound to, once its type is known, calls a procedure that a component points to.
module eco
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: params_t
    real(dp) :: mu = 0.6_dp, kn = 0.5_dp, g = 0.4_dp
    real(dp), dimension(3) :: mort = [0.05_dp, 0.1_dp, 0.02_dp]
  end type
  type, abstract :: stepper
  contains
    procedure(step_i), deferred :: step
  end type
  type, extends(stepper) :: euler
  contains
    procedure :: step => euler_step
  end type
  type, extends(stepper) :: rk4
    integer :: evals = 0
    real(dp), allocatable :: k(:,:)
  contains
    procedure :: step => rk4_step
  end type
  type :: box
    real(dp) :: s(3)
    type(params_t) :: p
    procedure(rate_i), nopass, pointer :: rates => null()
  end type
  abstract interface
    function rate_i(s, p, t) result(r)
      import
      real(dp), intent(in) :: s(3), t
      type(params_t), intent(in) :: p
      real(dp) :: r(3)
    end function
    subroutine step_i(self, b, t, dt)
      import
      class(stepper), intent(inout) :: self
      type(box), intent(inout) :: b
      real(dp), intent(in) :: t, dt
    end subroutine
  end interface
  type :: stepper_box
    class(stepper), allocatable :: it
  end type
contains
  function npz(s, p, t) result(r)
    real(dp), intent(in) :: s(3), t
    type(params_t), intent(in) :: p
    real(dp) :: r(3), up, gr
    up = p%mu * s(1) / (p%kn + s(1)) * s(2) * (1 + 0.3_dp * cos(t))
    gr = p%g * max(0.0_dp, s(2)**2 - 0.01_dp) / (1 + s(2)**2) * s(3)
    r = [-up + dot_product(p%mort, s), up - gr - p%mort(2) * s(2), 0.7_dp * gr - p%mort(3) * s(3)]
  end function
  function npz_lin(s, p, t) result(r)
    real(dp), intent(in) :: s(3), t
    type(params_t), intent(in) :: p
    real(dp) :: r(3)
    r = -p%mort * s + 0.01_dp * t
  end function
  subroutine euler_step(self, b, t, dt)
    class(euler), intent(inout) :: self
    type(box), intent(inout) :: b
    real(dp), intent(in) :: t, dt
    b%s = b%s + dt * b%rates(b%s, b%p, t)
  end subroutine
  subroutine rk4_step(self, b, t, dt)
    class(rk4), intent(inout) :: self
    type(box), intent(inout) :: b
    real(dp), intent(in) :: t, dt
    if (.not. allocated(self%k)) allocate(self%k(3, 4))
    self%k(:, 1) = b%rates(b%s, b%p, t)
    self%k(:, 2) = b%rates(b%s + 0.5_dp * dt * self%k(:, 1), b%p, t + 0.5_dp * dt)
    self%k(:, 3) = b%rates(b%s + 0.5_dp * dt * self%k(:, 2), b%p, t + 0.5_dp * dt)
    self%k(:, 4) = b%rates(b%s + dt * self%k(:, 3), b%p, t + dt)
    b%s = b%s + dt / 6 * matmul(self%k, [1.0_dp, 2.0_dp, 2.0_dp, 1.0_dp])
    self%evals = self%evals + 4
  end subroutine
end module
module program_under_test
  use eco
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(box) :: bs(2)
    type(stepper_box) :: st(2)
    class(stepper), allocatable :: one
    real(dp) :: t, hist(3, 0:10)
    integer :: i, k
    complex(dp) :: z, c(4)
    real(c_float) :: r4
    allocate(rk4 :: one)
    do i = 1, 2
      bs(i)%s = x(1:3) * i
      bs(i)%p = params_t(mu=0.5_dp + 0.1_dp * x(4), g=x(5))
      bs(i)%p%mort(2) = 0.1_dp * x(1)
      if (i == 1) then
        bs(i)%rates => npz_lin
      else
        bs(i)%rates => npz
      end if
    end do
    y = 0
    do i = 1, 2
      t = 0
      hist(:, 0) = bs(i)%s
      do k = 1, 10
        call one%step(bs(i), t, 0.1_dp)
        t = t + 0.1_dp
        hist(:, k) = bs(i)%s
        if (any(bs(i)%s < 0)) exit
      end do
      y = y + sum(hist(2, 1:10:3)) + hist(1, 10) * hist(3, 5)
    end do
    z = cmplx(x(1), x(2), dp)
    c = [(z**i, i = 1, 4)]
    y = y + real(sum(c * conjg(c(4:1:-1)))) + aimag(exp(z)) + abs(z) + real(dot_product(c, c)) + c(2)%re * c(3)%im
    r4 = real(x(3), c_float) * 2.0
    y = y + dble(r4) * 0
    bs = bs(2:1:-1)
    y = y + bs(1)%s(2) * bs(2)%s(3) + bs(1)%p%mort(2)
  end function
end module
include "requests.inc"
