! A list that grows by an array constructor, of objects with texts, numbers and arrays.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: species
    character(len=:), allocatable :: name
    real(dp) :: weight = 1
    real(dp), allocatable :: series(:)
  end type
  type :: mixture
    type(species), allocatable :: all(:)
  contains
    procedure :: add
  end type
contains
  subroutine add(self, one)
    class(mixture), intent(inout) :: self
    type(species), intent(in) :: one
    self%all = [self%all, one]
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(mixture) :: m
    integer :: i
    allocate (m%all(0))
    do i = 1, 3
      call m%add(species(name='gas', weight=x(i), series=[x(1), x(2)*i, x(4)]))
    end do
    y = 0
    do i = 1, size(m%all)
      y = y + m%all(i)%weight*sum(m%all(i)%series**2)*len(m%all(i)%name)
    end do
  end function
end module
include 'requests.inc'
