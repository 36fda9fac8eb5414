! A spectral model of Burgers' equation: one transform calls itself with its halves in allocatable arrays, the other walks through
! the array by a plan.
! RUN: %levels %s conditioned 0.8 1.3 0.4 2.1
module spectral
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  real(dp), parameter :: pi = acos(-1.0_dp)
  type :: plan_t
    integer :: n = 0
    complex(dp), allocatable :: twiddle(:)
    integer, allocatable :: bitrev(:)
  end type
contains
  recursive subroutine fft_rec(z, sgn)
    complex(dp), intent(inout) :: z(:)
    integer, intent(in) :: sgn
    complex(dp), allocatable :: even(:), odd(:)
    complex(dp) :: w
    integer :: n, k
    n = size(z)
    if (n <= 1) return
    allocate(even(n/2), odd(n/2))
    even = z(1::2)
    odd = z(2::2)
    call fft_rec(even, sgn)
    call fft_rec(odd, sgn)
    do k = 1, n / 2
      w = exp(cmplx(0, sgn * 2 * pi * (k - 1) / n, dp)) * odd(k)
      z(k) = even(k) + w
      z(k + n/2) = even(k) - w
    end do
  end subroutine
  subroutine make_plan(p, n)
    type(plan_t), intent(inout) :: p
    integer, intent(in) :: n
    integer :: i, j, m
    p%n = n
    p%twiddle = exp(cmplx(0.0_dp, [(-2 * pi * i / n, i = 0, n/2 - 1)], dp))
    allocate(p%bitrev(n))
    j = 0
    do i = 1, n
      p%bitrev(i) = j + 1
      m = n / 2
      do while (m >= 1 .and. iand(j, m) /= 0)
        j = ieor(j, m)
        m = m / 2
      end do
      j = ior(j, m)
    end do
  end subroutine
  subroutine fft_iter(p, z, inverse)
    type(plan_t), intent(in) :: p
    complex(dp), intent(inout) :: z(0:)
    logical, intent(in), optional :: inverse
    integer :: len, i, k, stride
    complex(dp) :: t, w
    logical :: inv
    inv = .false.
    if (present(inverse)) inv = inverse
    z = z(p%bitrev - 1)
    len = 2
    do while (len <= p%n)
      stride = p%n / len
      do i = 0, p%n - 1, len
        do k = 0, len / 2 - 1
          w = p%twiddle(k * stride + 1)
          if (inv) w = conjg(w)
          t = w * z(i + k + len/2)
          z(i + k + len/2) = z(i + k) - t
          z(i + k) = z(i + k) + t
        end do
      end do
      len = 2 * len
    end do
    if (inv) z = z / p%n
  end subroutine
end module
module program_under_test
  use spectral
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer, parameter :: m = 32
    complex(dp) :: uh(m), nl(m), wave(m)
    real(dp) :: u(m), k(m)
    type(plan_t) :: p
    integer :: i, t
    call make_plan(p, m)
    u = [(x(1) * sin(2 * pi * i / m) + 0.3_dp * x(2) * cos(4 * pi * i / m), i = 0, m - 1)]
    k = [(real(i, dp), i = 0, m/2 - 1), (real(i - m, dp), i = m/2, m - 1)]
    wave = cmplx(0, k, dp)
    uh = cmplx(u, kind=dp)
    call fft_iter(p, uh)
    do t = 1, 10
      nl = uh
      call fft_iter(p, nl, .true.)
      nl = cmplx(0.5_dp * real(nl)**2, 0.0_dp, dp)
      call fft_rec(nl, -1)
      where (abs(k) > m / 3) nl = 0
      uh = (uh - 0.01_dp * wave * nl) / (1 + 0.01_dp * 0.05_dp * x(3) * k**2)
    end do
    nl = uh
    call fft_rec(nl, 1)
    y = sum(abs(uh(1:m/2))**2) / m + real(nl(3)) + aimag(uh(2)) * x(4) + real(dot_product(uh, wave * nl)) / m
    y = y + sum(real(nl)**2) / m**2
  end function
end module
include 'requests.inc'
