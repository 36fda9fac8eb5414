! A column of water whose arrays belong to a module: allocated, worked on, printed and deallocated by its procedures.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module model_data
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  integer :: nz
  real(dp), allocatable, save :: temp(:), salt(:), kv(:), z(:)
  real(dp), save :: dt = 100.0_dp, wind
  logical, save :: verbose = .false.
contains
  subroutine setup(levels)
    integer, intent(in) :: levels
    integer :: k
    nz = levels
    allocate(temp(nz), salt(nz), kv(nz), z(nz))
    do k = 1, nz
      z(k) = -5.0_dp * k
    end do
  end subroutine
  subroutine teardown()
    deallocate(temp, salt, kv, z)
  end subroutine
end module
module physics
  use model_data
  implicit none
contains
  subroutine mixing()
    integer :: k
    real(dp) :: n2, rho(nz)
    rho = 1000 - 0.2_dp * temp + 0.8_dp * salt
    kv = 1.0e-4_dp
    do k = 2, nz
      n2 = -(rho(k - 1) - rho(k)) * 9.81_dp / (1000 * (z(k - 1) - z(k)))
      if (n2 < 0) then
        kv(k) = 1.0e-1_dp
      else
        kv(k) = 1.0e-4_dp + 5.0e-3_dp * wind**2 / (1 + 100 * n2)
      end if
    end do
  end subroutine
  subroutine diffuse(c)
    real(dp), intent(inout) :: c(:)
    real(dp) :: lo(size(c)), di(size(c)), up(size(c)), g
    integer :: k
    lo = 0
    up = 0
    lo(2:) = -dt * kv(2:) / 25
    up(:nz-1) = -dt * kv(2:) / 25
    di = 1 - lo - up
    do k = 2, nz
      g = lo(k) / di(k - 1)
      di(k) = di(k) - g * up(k - 1)
      c(k) = c(k) - g * c(k - 1)
    end do
    c(nz) = c(nz) / di(nz)
    do k = nz - 1, 1, -1
      c(k) = (c(k) - up(k) * c(k + 1)) / di(k)
    end do
  end subroutine
  subroutine run(steps)
    integer, intent(in) :: steps
    integer :: i
    do i = 1, steps
      call mixing()
      call diffuse(temp)
      call diffuse(salt)
      temp(1) = temp(1) + 1.0e-3_dp * wind
      if (verbose) print '(a,i0,10f8.3)', 'step ', i, temp
      if (verbose) write(*, *) i, maxval(temp), salt
    end do
  end subroutine
end module
module program_under_test
  use model_data, only: dp, c_int, setup, teardown, temp, salt, wind, z
  use physics, only: run
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    call setup(8)
    temp = 10 + x(1) * exp(z / 20)
    salt = 35 - 0.5_dp * x(2) * exp(z / 10)
    wind = 0.5_dp * x(3) + 1
    temp(4) = temp(4) + x(4)
    call run(6)
    y = sum(temp**2) * 1.0e-2_dp + sum(salt * z) * 1.0e-2_dp
    call teardown()
  end function
end module

include 'requests.inc'
