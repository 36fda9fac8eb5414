! A land model: derived types with arrays of components, per-column procedure pointers, forcing interpolation, units strings, exits.
! RUN: %levels %s conditioned 0.8 1.3 0.4 2.1
module land
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  integer, parameter :: nlev = 5
  type :: soil_t
    real(dp), dimension(nlev) :: theta, temp, dz
    real(dp) :: ice(nlev) = 0
    procedure(k_law), pointer, nopass :: conductivity => null()
  end type
  type :: veg_t
    character(len=12) :: name = ''
    real(dp) :: lai, albedo = 0.2_dp
    logical :: deciduous = .false.
  end type
  type :: column_t
    type(soil_t) :: soil
    type(veg_t), allocatable :: veg(:)
    real(dp) :: flux(2)
  end type
  abstract interface
    pure function k_law(theta) result(k)
      import :: dp
      real(dp), intent(in) :: theta
      real(dp) :: k
    end function
  end interface
  real(dp), parameter :: hours(4) = [0.0_dp, 6.0_dp, 12.0_dp, 18.0_dp]
contains
  pure function campbell(theta) result(k)
    real(dp), intent(in) :: theta
    real(dp) :: k
    k = 0.1_dp * theta**3.5_dp
  end function
  pure function linear(theta) result(k)
    real(dp), intent(in) :: theta
    real(dp) :: k
    k = 0.02_dp + 0.1_dp * theta
  end function
  function forcing(t, values) result(v)
    real(dp), intent(in) :: t, values(:)
    real(dp) :: v, w
    integer :: i
    do i = 1, size(hours) - 1
      if (t < hours(i + 1)) exit
    end do
    i = min(i, size(hours) - 1)
    w = (t - hours(i)) / (hours(i+1) - hours(i))
    v = (1 - w) * values(i) + w * values(i+1)
  end function
  subroutine step(col, t, dt, rain, values)
    type(column_t), intent(inout) :: col
    real(dp), intent(in) :: t, dt, rain(:), values(:)
    real(dp) :: q(0:nlev), lai
    integer :: k, iv
    lai = 0
    do iv = 1, size(col%veg)
      select case (trim(col%veg(iv)%name))
      case ('grass', 'crop')
        lai = lai + 0.5_dp * col%veg(iv)%lai
      case default
        if (col%veg(iv)%deciduous) cycle
        lai = lai + col%veg(iv)%lai
      end select
    end do
    associate (s => col%soil)
      q(0) = forcing(t, rain) * exp(-0.3_dp * lai)
      do k = 1, nlev - 1
        q(k) = s%conductivity(0.5_dp * (s%theta(k) + s%theta(k+1))) * ((s%theta(k) - s%theta(k+1)) / s%dz(k) + 1)
      end do
      q(nlev) = s%conductivity(s%theta(nlev))
      s%theta = s%theta + dt * (q(0:nlev-1) - q(1:nlev)) / s%dz
      s%temp(1) = s%temp(1) + dt * (forcing(t, values) * (1 - col%veg(1)%albedo) - 0.1_dp * s%temp(1))
      do k = 2, nlev
        s%temp(k) = s%temp(k) + dt * 0.2_dp * (s%temp(k-1) - s%temp(k))
        if (s%temp(k) < 0) then
          s%ice(k) = s%ice(k) - s%temp(k) * 0.01_dp
          s%theta(k) = s%theta(k) * (1 - s%ice(k))
        end if
      end do
    end associate
    col%flux = [q(0), q(nlev)]
  end subroutine
end module
module program_under_test
  use land
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y, rain(4), sun(4)
    type(column_t), target :: cols(2)
    type(column_t), pointer :: c
    integer :: i, t
    rain = [0.1_dp, x(1), 0.3_dp * x(2), 0.0_dp]
    sun = [-1.0_dp, x(3), 2 * x(4), 0.5_dp]
    do i = 1, 2
      c => cols(i)
      c%soil%theta = [0.3_dp, 0.25_dp, 0.2_dp * x(1), 0.2_dp, 0.3_dp]
      c%soil%temp = x(2) - 1.56_dp + 0.1_dp * i
      c%soil%dz = [0.1_dp, 0.2_dp, 0.4_dp, 0.8_dp, 1.6_dp]
      c%soil%conductivity => campbell
      if (i == 2) c%soil%conductivity => linear
      allocate(c%veg(i + 1))
      c%veg(:)%lai = [(x(3) * t, t = 1, i + 1)]
      c%veg(1)%name = 'grass'
      c%veg(2)%name = 'oak'
      c%veg(2)%deciduous = i == 2
    end do
    y = 0
    do t = 0, 17
      do i = 1, 2
        call step(cols(i), real(t, dp), 0.05_dp, rain, sun)
        y = y + cols(i)%flux(1) - 2 * cols(i)%flux(2)
      end do
    end do
    do i = 1, 2
      y = y + dot_product(cols(i)%soil%theta, cols(i)%soil%dz) * i + sum(cols(i)%soil%temp) + sum(cols(i)%soil%ice)
    end do
  end function
end module
include 'requests.inc'
