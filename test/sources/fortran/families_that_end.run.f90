! FINAL procedures of types that extend others, of a tree that holds itself, and of what a class turns out to be.
! RUN: %levels %s double 0.7 1.3 0.4 0.9 0.2 0.6
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp) :: spent = 0
  type :: tree
    real(dp) :: w = 0
    type(tree), allocatable :: left, right
  contains
    final :: tree_done
  end type
  type, abstract :: shape
    real(dp) :: s = 1
  contains
    procedure(area_i), deferred :: area
  end type
  abstract interface
    function area_i(this) result(a)
      import :: shape, dp
      class(shape), intent(in) :: this
      real(dp) :: a
    end function
  end interface
  type, extends(shape) :: disc
    real(dp), allocatable :: r(:)
  contains
    procedure :: area => disc_area
    final :: disc_done
  end type
  type, extends(shape) :: box
    real(dp), pointer :: e(:) => null()
  contains
    procedure :: area => box_area
    final :: box_done, box_each
  end type
contains
  recursive subroutine tree_done(this)
    type(tree), intent(inout) :: this
    spent = spent + this%w**2
  end subroutine
  subroutine disc_done(this)
    type(disc), intent(inout) :: this
    if (allocated(this%r)) spent = spent + sum(this%r)*this%s
  end subroutine
  subroutine box_done(this)
    type(box), intent(inout) :: this
    if (associated(this%e)) then
      spent = spent + this%e(1)*this%s
      deallocate (this%e)
    end if
  end subroutine
  subroutine box_each(this)
    type(box), intent(inout) :: this(:)
    integer :: i
    do i = 1, size(this)
      call box_done(this(i))
    end do
  end subroutine
  function disc_area(this) result(a)
    class(disc), intent(in) :: this
    real(dp) :: a
    a = 3.14d0*sum(this%r**2)*this%s
  end function
  function box_area(this) result(a)
    class(box), intent(in) :: this
    real(dp) :: a
    a = product(this%e)*this%s
  end function
  recursive subroutine grow(t, x, d)
    type(tree), intent(inout) :: t
    real(dp), intent(in) :: x(:)
    integer, intent(in) :: d
    t%w = x(1 + mod(d, size(x)))*sin(real(d, dp))
    if (d >= 7) return
    allocate (t%left, t%right)
    call grow(t%left, x, 2*d)
    call grow(t%right, x, 2*d + 1)
  end subroutine
  recursive function total(t) result(s)
    type(tree), intent(in) :: t
    real(dp) :: s
    s = t%w
    if (allocated(t%left)) s = s + total(t%left)*t%w + total(t%right)
  end function
  subroutine shapes(x, n, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp), intent(inout) :: y
    class(shape), allocatable :: s
    type(tree) :: t
    integer :: i
    call grow(t, x, 1)
    y = y + total(t)
    do i = 1, n
      if (mod(i, 2) == 0) then
        allocate (s, source=disc(s=x(i), r=[x(1), x(i)]))
      else
        allocate (box :: s)
        select type (s)
        type is (box)
          allocate (s%e(2))
          s%e = x(i)*[1d0, x(2)]
          s%s = x(3)
        end select
      end if
      y = y + s%area()
      deallocate (s)
    end do
  end subroutine
  function f(x, n) bind(C) result(y)
    integer(c_int), value :: n
    real(c_double) :: x(n), y
    spent = 0; y = 0
    call shapes(x, n, y)
    y = y*(1 + spent)
  end function
end module
include 'requests.inc'
