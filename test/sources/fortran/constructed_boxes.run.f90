! Structure constructors whose component is of a class: it takes the type of what it is given, alone, as an array, and in elements of an
! array constructor. What was of another type goes.
! RUN: %levels %s double 0.53 1.37 0.21 0.83
module laws_mod
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type :: law
    real(dp) :: rho = 1
  contains
    procedure :: p => law_p
  end type
  type, extends(law) :: tait
    real(dp) :: b
  contains
    procedure :: p => tait_p
  end type
  type, extends(tait) :: tabled
    real(dp), allocatable :: c(:)
  contains
    procedure :: p => tabled_p
  end type
  type :: box
    class(law), allocatable :: item
    real(dp) :: w
  end type
  type :: row
    class(law), allocatable :: items(:)
  end type
contains
  function law_p(self, t) result(p)
    class(law), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: p
    p = self%rho * t
  end function
  function tait_p(self, t) result(p)
    class(tait), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: p
    p = self%b * t / self%rho
  end function
  function tabled_p(self, t) result(p)
    class(tabled), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp) :: p
    p = sum(self%c) * t + self%b
  end function
end module
module program_under_test
  use laws_mod
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(box) :: one
    type(box), allocatable :: many(:)
    type(row) :: r
    integer :: i
    one = box(tait(x(1), x(2)), x(4))
    y = one%w * one%item%p(x(3))
    many = [box(law(x(3)), 1.0_dp), box(tait(x(2), x(1)), x(3)), box(tabled(x(1), x(4), x(1:3)), x(2))]
    do i = 1, 3
      one = many(i)
      many(i) = box(tait(x(2), y), x(i))
      y = y + one%w * one%item%p(x(i))
    end do
    r = row([tait(x(1), x(2)), tait(x(3) * x(1), x(2)**2)])
    select type (t => r%items)
    type is (tait)
      y = y + t(1)%b * t(2)%rho + t(2)%b * t(1)%rho
    end select
    y = y + many(1)%w * many(1)%item%p(x(4))
  end function
end module
include 'requests.inc'
