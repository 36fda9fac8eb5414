! FINAL procedures that give back what an object owns and add to the result: of objects, of elements and components, where an object
! goes, is deallocated, is given another value, and where a pointer stands first in what was found in memory.
! RUN: %levels %s double 0.7 1.3 0.4 0.9 0.2 0.6
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp) :: spent = 0
  integer :: alive = 0
  type :: buf
    real(dp), pointer :: p(:) => null()
    real(dp) :: scale = 1
  contains
    final :: buf_done
  end type
  type :: tagged
    real(dp) :: w = 0
  contains
    final :: tagged_done
  end type
  type, extends(buf) :: deep
    real(dp), allocatable :: extra(:)
    type(tagged) :: two(2)
  contains
    final :: deep_done
  end type
  type :: holder
    type(buf) :: a
    type(buf), allocatable :: c
    type(tagged), allocatable :: d(:)
    class(buf), allocatable :: any
  end type
contains
  subroutine buf_done(this)
    type(buf), intent(inout) :: this
    if (associated(this%p)) then
      spent = spent + this%scale*sum(this%p)
      deallocate (this%p)
      alive = alive - 1
    end if
  end subroutine
  impure elemental subroutine tagged_done(this)
    type(tagged), intent(inout) :: this
    spent = spent + this%w**2
  end subroutine
  subroutine deep_done(this)
    type(deep), intent(inout) :: this
    if (allocated(this%extra)) spent = spent + this%extra(1)*this%two(2)%w
  end subroutine
  subroutine fill(b, x, k)
    type(buf), intent(inout) :: b
    real(dp), intent(in) :: x(:)
    integer, intent(in) :: k
    allocate (b%p(k))
    b%p = x(1:k)**2
    b%scale = x(k)
    alive = alive + 1
  end subroutine
  function make(x) result(t)
    real(dp), intent(in) :: x
    type(tagged) :: t
    t%w = sin(x)
  end function
  subroutine reset(t, x)
    type(tagged), intent(out) :: t
    real(dp), intent(in) :: x
    t%w = x*x
  end subroutine
  subroutine work(x, n, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp), intent(inout) :: y
    type(holder) :: h
    type(buf) :: local
    type(tagged) :: t
    type(deep), allocatable :: e
    class(buf), pointer :: q
    integer :: i
    call fill(local, x, 3)
    call fill(h%a, x, 2)
    allocate (h%c)
    call fill(h%c, x, 4)
    allocate (h%d(3))
    do i = 1, 3
      h%d(i)%w = x(i)*i
    end do
    t = make(x(1))
    t = make(x(2))
    y = y + t%w
    call reset(t, x(3))
    y = y + t%w
    allocate (e)
    call fill(e%buf, x, 2)
    e%extra = x(2:4)
    e%two(2)%w = x(5)
    allocate (deep :: h%any)
    select type (z => h%any)
    type is (deep)
      z%extra = [x(6), x(1)]
      z%two%w = x(1:2)
    end select
    allocate (deep :: q)
    call fill(q, x, 5)
    deallocate (q)
    y = y + sum(local%p)*h%c%scale
  end subroutine
  function f(x, n) bind(C) result(y)
    integer(c_int), value :: n
    real(c_double) :: x(n), y
    integer :: k
    spent = 0; alive = 0; y = 0
    do k = 1, 2
      call work(x, n, y)
    end do
    y = y*spent + alive
  end function
end module
include 'requests.inc'
