! Allocatable arrays are freed where their procedure ends, if they are allocated. That is asked of the address as of a number, which says nothing of who
! else may look at the arrays afterwards: what a step overwrites is put back, and nothing that is read is recorded.
! RUN: rm -rf %t.mods && mkdir -p %t.mods
! RUN: %flang -O0 -g -module-dir %t.mods -S -emit-llvm %s -o %t.ll
! RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
! RUN: FileCheck %s < %t.plan
module fields
  use iso_c_binding, only: c_int
  implicit none
  type, bind(C) :: token
    integer(c_int) :: number
  end type
  type(token), bind(C, name="bs_const") :: bs_const
  interface
    subroutine gradient(f, x, dx, c, s, y, dy) bind(C, name="__backsweep_gradient_void")
      import
      external :: f
      type(token) :: c
      integer :: s
      real(8) :: x(*), dx(*), y, dy
    end subroutine
  end interface
contains
  subroutine step(n, h, u, v, hn, un, vn)
    integer, intent(in) :: n
    real(8), intent(in), dimension(n, n) :: h, u, v
    real(8), intent(inout), dimension(n, n) :: hn, un, vn
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        un(i, j) = u(i, j) * (u(i + 1, j) - u(i - 1, j)) + v(i, j) * (u(i, j + 1) - u(i, j - 1)) + h(i + 1, j) - h(i - 1, j)
        vn(i, j) = u(i, j) * (v(i + 1, j) - v(i - 1, j)) + v(i, j) * (v(i, j + 1) - v(i, j - 1)) + h(i, j + 1) - h(i, j - 1)
        hn(i, j) = h(i + 1, j) * u(i + 1, j) - h(i - 1, j) * u(i - 1, j) + h(i, j + 1) * v(i, j + 1) - h(i, j - 1) * v(i, j - 1)
      end do
    end do
  end subroutine

  subroutine run(x, s, y)
    integer, intent(in) :: s
    real(8), intent(in) :: x(s, s)
    real(8), intent(inout) :: y
    real(8), allocatable, dimension(:, :) :: h, u, v, a, b, c
    integer :: t, i
    allocate(h(s, s), u(s, s), v(s, s), a(s, s), b(s, s), c(s, s))
    do t = 1, s
      do i = 1, s
        h(i, t) = x(i, t)
        u(i, t) = x(i, t)
        v(i, t) = x(i, t)
        a(i, t) = x(i, t)
        b(i, t) = x(i, t)
        c(i, t) = x(i, t)
      end do
    end do
    do t = 1, 5
      call step(s, h, u, v, a, b, c)
      call step(s, a, b, c, h, u, v)
    end do
    do t = 1, s
      do i = 1, s
        y = y + h(i, t) * h(i, t)
      end do
    end do
  end subroutine

! CHECK-LABEL: plan gradient
! CHECK-COUNT-6: saves what it overwrites, which is put back on the way back
! CHECK-NOT: records %
  subroutine adjoint_of_run(x, dx, s, y, dy)
    integer :: s
    real(8) :: x(s, s), dx(s, s), y, dy
    call gradient(run, x, dx, bs_const, s, y, dy)
  end subroutine
end module
