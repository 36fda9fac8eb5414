! A function of values that solves an equation in each cell of each step is contracted in Fortran, too, by cost; one whose arguments are
! handed over by reference is inlined as ever.
! RUN: rm -rf %t.mods && mkdir -p %t.mods
! RUN: %flang -O0 -g -module-dir %t.mods -S -emit-llvm %s -o %t.ll
! RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
! RUN: %flang -O0 -module-dir %t.mods %pass %s -o %t.O0 %runtime && %t.O0
! RUN: %flang -O2 -module-dir %t.mods %pass %s -o %t.O2 %runtime && %t.O2

! CHECK: contracted, {{.*}} calls gradient {{.*}}root (out, out) width 1 primal contracted; by cost
! CHECK-NOT: root_behind
module steps
  use iso_c_binding, only: c_int
  implicit none
  integer, parameter :: cells = 30
  type, bind(C) :: token
    integer(c_int) :: number
  end type
  type(token), bind(C, name="bs_dup") :: bs_dup
  interface
    subroutine gradient(f, t1, u, du, t2, k, dk, t3, cost, dcost) bind(C, name="__backsweep_gradient_void")
      import
      external :: f
      type(token) :: t1, t2, t3
      real(8) :: u(cells), du(cells), k(cells), dk(cells), cost, dcost
    end subroutine
  end interface
contains
  real(8) function root(a, c)
    real(8), value :: a, c
    real(8) :: change
    integer :: i
    root = a
    do i = 1, 60
      change = (root + c*root**3 - a)/(1 + 3*c*root**2)
      root = root - change
      if (abs(change) < 1d-14) exit
    end do
  end function
  real(8) function root_behind(a, c)
    real(8), intent(in) :: a, c
    real(8) :: change
    integer :: i
    root_behind = a
    do i = 1, 60
      change = (root_behind + c*root_behind**3 - a)/(1 + 3*c*root_behind**2)
      root_behind = root_behind - change
      if (abs(change) < 1d-14) exit
    end do
  end function
  subroutine model(u, k, cost)
    real(8), intent(inout) :: u(cells)
    real(8), intent(in) :: k(cells)
    real(8), intent(out) :: cost
    integer :: t, i
    do t = 1, 50
      do i = 1, cells
        u(i) = 1.05d0*root(u(i)*(1 + 0.02d0*k(i)), k(i)) + 0.01d0*sin(u(mod(i, cells) + 1))
      end do
    end do
    cost = 0
    do i = 1, cells
      cost = cost + root_behind(u(i), k(i))*i
    end do
  end subroutine
end module

program check
  use steps
  implicit none
  real(8) :: u(cells), du(cells), k(cells), dk(cells), cost, dcost, sides(2), expected, worst, found
  real(8), parameter :: h = 1d-6
  integer :: at, side
  call start(0, 0d0)
  du = 0
  dk = 0
  dcost = 1
  call gradient(model, bs_dup, u, du, bs_dup, k, dk, bs_dup, cost, dcost)
  worst = 0
  do at = 1, 2*cells, 7
    do side = 1, 2
      call start(at, merge(h, -h, side == 2))
      call model(u, k, sides(side))
    end do
    expected = (sides(2) - sides(1))/(2*h)
    found = dk(max(at - cells, 1))
    if (at <= cells) found = du(at)
    worst = max(worst, abs(found - expected)/(1 + abs(expected)))
  end do
  if (.not. worst < 1d-6) then
    print *, 'off by', worst
    stop 1
  end if
contains
  subroutine start(changed, by)
    integer, intent(in) :: changed
    real(8), intent(in) :: by
    integer :: i
    do i = 1, cells
      u(i) = 0.5d0 + 0.4d0*sin(real(i, 8))
      k(i) = 0.3d0 + 0.1d0*cos(real(i, 8))
    end do
    if (changed > cells) then
      k(changed - cells) = k(changed - cells) + by
    else if (changed > 0) then
      u(changed) = u(changed) + by
    end if
  end subroutine
end program
