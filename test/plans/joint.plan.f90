! A step of a time loop that runs twice, in Fortran: how many cells there are is behind a parameter, too, and is asked before anything
! is written. The coefficients stay as they are, and are not saved.
! RUN: rm -rf %t.mods && mkdir -p %t.mods
! RUN: %flang -O0 -g -module-dir %t.mods -S -emit-llvm %s -o %t.ll
! RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
! RUN: FileCheck %s < %t.plan
! RUN: %flang -O0 -module-dir %t.mods %pass %s -o %t.O0 %runtime && %t.O0
! RUN: %flang -O2 -module-dir %t.mods %pass %s -o %t.O2 %runtime && %t.O2

! CHECK-LABEL: plan gradient
! CHECK: joint; as asked, it runs once more before it is reversed
! CHECK-LABEL: plan augmented
! CHECK: runs the function as it is
! CHECK-NEXT: accesses touch behind %0, saved
! CHECK-NEXT: {{^}}plan
module steps
  use iso_c_binding, only: c_int
  implicit none
  integer, parameter :: cells = 50
  type, bind(C) :: token
    integer(c_int) :: number
  end type
  type(token), bind(C, name="bs_const") :: bs_const
  type(token), bind(C, name="bs_dup") :: bs_dup
  type(token), bind(C, name="bs_joint") :: bs_joint
  interface
    subroutine gradient(f, how, g, t1, u, du, t2, k, dk, c1, n, c2, dt, t3, cost, dcost) &
        bind(C, name="__backsweep_gradient_void")
      import
      external :: f, g
      type(token) :: how, t1, t2, t3, c1, c2
      integer :: n
      real(8) :: u(cells), du(cells), k(cells), dk(cells), dt, cost, dcost
    end subroutine
  end interface
contains
  subroutine step(u, k, n, dt)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: k(n), dt
    integer :: i
    real(8) :: before, here
    before = u(1)
    do i = 2, n - 1
      here = u(i)
      u(i) = here + dt*k(i)*here*(u(i + 1) - before)
      before = here
    end do
  end subroutine
  subroutine model(u, k, n, dt, cost)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: k(n), dt
    real(8), intent(out) :: cost
    integer :: t
    do t = 1, 30
      call step(u, k, n, dt)
    end do
    cost = sum(u**2)
  end subroutine
end module

program check
  use steps
  implicit none
  real(8) :: u(cells), du(cells), k(cells), dk(cells), cost, dcost, sides(2), expected, worst
  real(8), parameter :: h = 1d-6
  real(8) :: dt = 0.05d0
  integer :: at, side
  call start(0, 0d0)
  du = 0
  dk = 0
  dcost = 1
  call gradient(model, bs_joint, step, bs_dup, u, du, bs_dup, k, dk, bs_const, cells, bs_const, dt, bs_dup, cost, dcost)
  worst = 0
  do at = 1, 2*cells, 7
    do side = 1, 2
      call start(at, merge(h, -h, side == 2))
      call model(u, k, cells, dt, sides(side))
    end do
    expected = (sides(2) - sides(1))/(2*h)
    if (at <= cells) then
      worst = max(worst, abs(du(at) - expected))
    else
      worst = max(worst, abs(dk(at - cells) - expected))
    end if
  end do
  if (.not. worst < 1d-7) then
    print *, 'off by', worst
    stop 1
  end if
contains
  subroutine start(at, by)
    integer, intent(in) :: at
    real(8), intent(in) :: by
    integer :: i
    do i = 1, cells
      u(i) = 0.5d0*sin(0.3d0*i)
      k(i) = 0.3d0 + 0.1d0*cos(1d0*i)
    end do
    if (at > cells) then
      k(at - cells) = k(at - cells) + by
    else if (at > 0) then
      u(at) = u(at) + by
    end if
  end subroutine
end program
