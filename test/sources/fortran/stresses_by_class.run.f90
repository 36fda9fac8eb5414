! Polymorphic materials in an array of elements: CLASS IS with a type that others extend, deferred procedures, allocatable history.
! RUN: %levels %s conditioned 0.8 1.3 0.4 2.1
module materials
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type, abstract :: material
    real(dp) :: density = 1.0_dp
    character(len=8) :: name = 'none'
  contains
    procedure(stress_law), deferred :: stress
    procedure :: wave_speed
  end type
  abstract interface
    function stress_law(self, strain) result(s)
      import :: material, dp
      class(material), intent(inout) :: self
      real(dp), intent(in) :: strain(3)
      real(dp) :: s(3)
    end function
  end interface
  type, extends(material) :: elastic
    real(dp) :: e = 1.0_dp
  contains
    procedure :: stress => elastic_stress
  end type
  type, extends(elastic) :: plastic
    real(dp) :: yield = 0.3_dp
    real(dp), allocatable :: history(:)
    integer :: n_yielded = 0
  contains
    procedure :: stress => plastic_stress
  end type
  type :: element
    class(material), allocatable :: mat
    real(dp), pointer :: coords(:, :) => null()
    integer :: nodes(2)
  end type
contains
  function wave_speed(self) result(c)
    class(material), intent(in) :: self
    real(dp) :: c
    select type (self)
    class is (elastic)
      c = sqrt(self%e / self%density)
    class default
      c = 0
    end select
  end function
  function elastic_stress(self, strain) result(s)
    class(elastic), intent(inout) :: self
    real(dp), intent(in) :: strain(3)
    real(dp) :: s(3)
    s = self%e * strain
  end function
  function plastic_stress(self, strain) result(s)
    class(plastic), intent(inout) :: self
    real(dp), intent(in) :: strain(3)
    real(dp) :: s(3), norm
    s = self%elastic%stress(strain - self%history)
    norm = sqrt(sum(s**2) + 1e-12_dp)
    if (norm > self%yield) then
      self%n_yielded = self%n_yielded + 1
      self%history = self%history + (1 - self%yield / norm) * s / self%e
      s = s * (self%yield / norm)
    end if
  end function
end module
module program_under_test
  use materials
  implicit none
contains
  subroutine make(el, kind, x, coords)
    type(element), intent(inout) :: el
    integer, intent(in) :: kind
    real(dp), intent(in) :: x(:)
    real(dp), target, intent(in) :: coords(:, :)
    if (kind == 1) then
      allocate(el%mat, source=elastic(density=1 + x(1)**2, e=x(2)))
    else
      allocate(plastic :: el%mat)
      select type (m => el%mat)
      type is (plastic)
        m%e = x(3) + 1
        m%yield = 0.2_dp * x(4)
        allocate(m%history(3), source=0.0_dp)
      end select
    end if
    el%mat%name = 'made'
    el%coords => coords
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y, strain(3)
    real(dp), allocatable, target :: coords(:, :)
    type(element), allocatable :: els(:)
    integer :: i, s
    allocate(coords(3, 5))
    coords = reshape([(0.1_dp * i * x(mod(i, n) + 1), i = 1, 15)], [3, 5])
    allocate(els(4))
    do i = 1, 4
      call make(els(i), 1 + mod(i, 2), x, coords)
      els(i)%nodes = [i, i + 1]
    end do
    y = 0
    do s = 1, 3
      do i = 1, size(els)
        associate (e => els(i))
          strain = s * (e%coords(:, e%nodes(2)) - e%coords(:, e%nodes(1)))
          y = y + dot_product(e%mat%stress(strain), strain) + 0.1_dp * e%mat%wave_speed()
        end associate
      end do
    end do
    if (trim(els(1)%mat%name) /= 'made') y = -1
  end function
end module
include 'requests.inc'
