! A procedure that changes places of two rows, inlined into a loop: in one pass its first argument is what its second was in another. flang's names
! for arguments say that the two never meet, which holds for one call.
! At -O3 the program itself is compiled wrongly for that (flang 22), so that differences are taken of one that is not optimised.
! RUN: mkdir -p %t.mods
! RUN: %flang -O0 -emit-llvm -I%S/../sources/Inputs -module-dir %t.mods -c %s -o %t.bc
! RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
! RUN: %clang -O0 -fPIC -c %t.made.bc -o %t.plain.o
! RUN: objcopy --keep-global-symbol=primal %t.plain.o
! RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
! RUN: %flang -O2 -emit-llvm -I%S/../sources/Inputs -module-dir %t.mods -c %s -o %t.bc
! RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
! RUN: %clang -O3 -fPIC -c %t.made.bc -o %t.o
! RUN: objcopy --localize-symbol=primal %t.o
! RUN: %flang %t.o %t.plain.o %t.check.o -o %t %runtime
! RUN: %t conditioned 0.53 1.37 0.21 0.83
subroutine exchange(n, a, along, b, across)
  double precision a(*), b(*), kept
  integer i, along, across, at, bt, n
  at = 1
  bt = 1
  if (along < 0) at = (1 - n) * along + 1
  if (across < 0) bt = (1 - n) * across + 1
  do i = 1, n
    kept = a(at)
    a(at) = b(bt)
    b(bt) = kept
    at = at + along
    bt = bt + across
  end do
end subroutine
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, rows(16)
    integer :: place(8), i
    external exchange
    rows = [(x(1 + mod(i, n)) * i * 0.2d0, i = 1, 16)]
    do i = 1, 6
      place(i) = i + mod(i * n, 3)
    end do
    do i = 1, 6
      if (place(i) /= i) call exchange(1, rows(2 * i), 2, rows(2 * place(i)), -2)
    end do
    y = 0
    do i = 1, 16
      y = y + rows(i) * rows(i) * i
    end do
  end function
end module
include 'requests.inc'
