! Components that are arrays, in objects that an optimiser only finds by bytes: in a variable of a module, whose type nobody describes
! when the program runs, in an object that was handed over, and in one of several objects of an array. What is put there tells
! of how many dimensions they are, or the descriptor does when the program runs.
! RUN: mkdir -p %t.mods
! RUN: %flang -O2 -emit-llvm -I%S/../sources/Inputs -module-dir %t.mods -c %s -o %t.bc
! RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
! RUN: %clang -O1 -fPIC -c %t.made.bc -o %t.o
! RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
! RUN: %flang %t.o %t.check.o -o %t %runtime
! RUN: %t conditioned 0.8 1.3 0.4 2.1
! RUN: %flang -O0 -emit-llvm -I%S/../sources/Inputs -module-dir %t.mods -c %s -o %t.bc
! RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
! RUN: %clang -O1 -fPIC -c %t.made.bc -o %t.o
! RUN: %flang %t.o %t.check.o -o %t %runtime
! RUN: %t conditioned 0.8 1.3 0.4 2.1
module fields
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type field
    integer :: steps = 0
    real(dp), allocatable :: row(:), table(:, :)
    real(dp) :: scale = 1
  end type
  type(field) :: kept
contains
  ! Nobody tells of what type the first argument is where this is optimised.
  subroutine refill(one, x)
    type(field), intent(inout) :: one
    real(dp), intent(in) :: x(:)
    integer :: i
    one%row = x*x*one%scale
    one%table = reshape([(x(1)*i, x(2) + i, i = 1, size(x))], [2, size(x)])
    one%steps = one%steps + 1
    one%scale = one%scale*1.5_dp
  end subroutine
  ! Numbers that are no array tell nothing of where they go.
  subroutine clear(one, x)
    type(field), intent(inout) :: one
    real(dp), intent(in) :: x
    one%row = x
    one%table = 2*x
  end subroutine
end module
module program_under_test
  use fields
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(field) :: several(3)
    integer :: i
    if (.not. allocated(kept%row)) allocate (kept%row(n), kept%table(2, n))
    kept%row = x**2
    kept%table = 0
    kept%table(1, :) = x
    y = 0
    do i = 1, 3
      call refill(several(i), x*i)
      if (i == 2) call clear(several(i), x(3))
      y = y + sum(several(i)%row*kept%row) + sum(several(i)%table**2)*several(i)%scale
    end do
    call refill(several(1), x(2:3))
    y = y + size(several(1)%row)*sum(several(1)%table(:, 2)) + sum(kept%table)*sum(several(1)%row)
  end function
end module
include 'requests.inc'
