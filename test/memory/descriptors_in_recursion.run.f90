! A cycle over grids that calls itself, optimised before the plugin sees it: of each array's descriptor the attributes are read by bytes, and
! flang says that they are a descriptor's. No address fits into a byte.
! RUN: mkdir -p %t.mods
! RUN: %flang -O2 -emit-llvm -I%S/../sources/Inputs -module-dir %t.mods -c %s -o %t.bc
! RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
! RUN: %clang -O1 -fPIC -c %t.made.bc -o %t.o
! RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
! RUN: %flang %t.o %t.check.o -o %t %runtime
! RUN: %t conditioned 0.8 1.3 0.4 2.1
module grids
  use, intrinsic :: iso_c_binding, only: dp => c_double
  implicit none
  type level
    integer :: n
    real(dp), pointer :: u(:) => null()
    type(level), pointer :: coarse => null()
  end type
contains
  recursive subroutine build(l, n)
    type(level), pointer, intent(out) :: l
    integer, intent(in) :: n
    allocate(l)
    l%n = n
    allocate(l%u(0:n))
    l%u = 0
    if (n > 2) call build(l%coarse, n/2)
  end subroutine
  recursive subroutine vcycle(l, k)
    type(level), intent(inout) :: l
    real(dp), intent(in) :: k(0:)
    if (.not. associated(l%coarse)) then
      l%u(1) = k(1)
      return
    end if
    l%coarse%u = l%u(::2)
    call vcycle(l%coarse, k)
    l%u(::2) = l%u(::2)*k(0:l%n/2) + l%coarse%u
  end subroutine
end module
module program_under_test
  use, intrinsic :: iso_c_binding
  use grids
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(level), pointer :: top
    real(dp) :: k(0:8)
    integer :: i
    call build(top, 8)
    k = [(x(1+mod(i,4))*i, i=0,8)]
    do i = 1, 2
      top%u = top%u + k
      call vcycle(top, k)
    end do
    y = sum(top%u)
  end function
end module
include 'requests.inc'
