! The same example in Fortran, where arguments are apart because the language says so; beside central differences, the
! gradient agrees with forward mode.
! RUN: rm -rf %t.mods && mkdir -p %t.mods
! RUN: %flang -O0 -g -module-dir %t.mods -S -emit-llvm %s -o %t.ll
! RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
! RUN: FileCheck %s < %t.plan
! RUN: %flang -O0 -module-dir %t.mods %pass %s -o %t.O0 %runtime && %t.O0
! RUN: %flang -O3 -module-dir %t.mods %pass %s -o %t.O3 %runtime && %t.O3

! CHECK-LABEL: plan gradient
! CHECK-NOT: {{%[0-9]+}}: save on overwrite
! CHECK-NOT: saves what it overwrites
module flow
  use iso_c_binding, only: c_int
  implicit none
  integer, parameter :: nodes = 9, segments = 12
  type, bind(C) :: token
    integer(c_int) :: number
  end type
  type(token), bind(C, name="bs_const") :: bs_const
  type(token), bind(C, name="bs_dup_noneed") :: noneed
  interface
    subroutine gradient(f, c1, n1, c2, n2, c3, nubo, t1, t3, dt3, t2, pres, dpres, t4, vnocl, dvnocl, t5, g3, dg3, &
                        t6, g4, dg4, t7, rh3, drh3, t8, rh4, drh4, t9, sq, dsq) bind(C, name="__backsweep_gradient_void")
      import
      external :: f
      type(token) :: c1, c2, c3, t1, t2, t4, t5, t6, t7, t8, t9
      integer :: n1, n2, nubo(2, segments)
      real(8) :: t3(nodes), dt3(nodes), pres(nodes), dpres(nodes), vnocl(2, segments), dvnocl(2, segments)
      real(8) :: g3(nodes), dg3(nodes), g4(nodes), dg4(nodes), rh3(nodes), drh3(nodes), rh4(nodes), drh4(nodes), sq, dsq
    end subroutine
    subroutine tangent(f, c1, n1, c2, n2, c3, nubo, t3, dt3, pres, dpres, vnocl, dvnocl, g3, dg3, &
                       g4, dg4, rh3, drh3, rh4, drh4, sq, dsq) bind(C, name="__backsweep_tangent_void")
      import
      external :: f
      type(token) :: c1, c2, c3
      integer :: n1, n2, nubo(2, segments)
      real(8) :: t3(nodes), dt3(nodes), pres(nodes), dpres(nodes), vnocl(2, segments), dvnocl(2, segments)
      real(8) :: g3(nodes), dg3(nodes), g4(nodes), dg4(nodes), rh3(nodes), drh3(nodes), rh4(nodes), drh4(nodes), sq, dsq
    end subroutine
  end interface
contains
  subroutine flw2d1col(nsg1, nsg2, nubo, t3, pres, vnocl, g3, g4, rh3, rh4, sq)
    integer, intent(in) :: nsg1, nsg2, nubo(2, segments)
    real(8), intent(in) :: t3(nodes), pres(nodes), vnocl(2, segments), g3(nodes), g4(nodes)
    real(8), intent(inout) :: rh3(nodes), rh4(nodes), sq
    integer :: iseg, is1, is2
    real(8) :: qsor, qs, dplim, pm
    do iseg = nsg1, nsg2
      is1 = nubo(1, iseg)
      is2 = nubo(2, iseg)
      qsor = t3(is1) * vnocl(2, iseg)
      qs = t3(is2) * vnocl(2, iseg)
      dplim = qsor * g4(is1) + qs * g4(is2)  ! CHECK-DAG: left out of the forward sweep, float at [[#@LINE]]:
      rh4(is1) = rh4(is1) + dplim            ! CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
      rh4(is2) = rh4(is2) - dplim            ! CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
      pm = pres(is1) + pres(is2)
      dplim = qsor * g3(is1) + qs * g3(is2) + pm * vnocl(2, iseg) ! CHECK-DAG: left out of the forward sweep, float at [[#@LINE]]:
      rh3(is1) = rh3(is1) + dplim            ! CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
      rh3(is2) = rh3(is2) - dplim            ! CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
      call ck(pm, sq)
    end do
  end subroutine

  subroutine ck(pm, sq)
    real(8), intent(in) :: pm
    real(8), intent(inout) :: sq
    sq = sq + pm * pm * sin(pm)              ! CHECK-DAG: left out of the forward sweep, call of {{.*}}sin{{.*}} at [[#@LINE]]:
                                             ! CHECK-DAG: left out of the forward sweep, store at [[#@LINE-1]]:{{.*}}; nobody reads it there
  end subroutine
! CHECK-NOT: records
end module

program main
  use flow
  implicit none
  integer, parameter :: most = 2 * segments, arrays = 8
  integer, parameter :: counts(arrays) = [nodes, nodes, most, nodes, nodes, nodes, nodes, 1]
  real(8) :: x(most, arrays), dx(most, arrays), v(most, arrays), moved(most, arrays), left, right, h, difference, slope
  integer :: nubo(2, segments), i, k
  do i = 1, segments
    nubo(:, i) = [mod(5 * i, nodes) + 1, mod(5 * i + 2, nodes) + 1]
  end do
  dx = 0
  do k = 1, arrays
    do i = 1, counts(k)
      x(i, k) = number(31 * k + i)
      v(i, k) = number(17 * k + 3 * i)
      if (k > 5) dx(i, k) = number(7 * k + i)
    end do
  end do
  moved = x
  call gradient(flw2d1col, bs_const, 1, bs_const, segments, bs_const, nubo, noneed, moved(:, 1), dx(:, 1), noneed, &
                moved(:, 2), dx(:, 2), noneed, moved(:, 3), dx(:, 3), noneed, moved(:, 4), dx(:, 4), noneed, moved(:, 5), &
                dx(:, 5), noneed, moved(:, 6), dx(:, 6), noneed, moved(:, 7), dx(:, 7), noneed, moved(1, 8), dx(1, 8))
  right = 0
  do k = 1, arrays
    right = right + sum(dx(1:counts(k), k) * v(1:counts(k), k))
  end do
  do k = 1, arrays
    do i = 1, counts(k)
      h = 1d-5
      difference = (weighted(k, i, h) - weighted(k, i, -h)) / (2 * h)
      if (.not. abs(dx(i, k) - difference) <= 1d-7 * max(1d0, abs(difference))) then
        print *, 'array', k, 'element', i, dx(i, k), 'by differences', difference
        stop 1
      end if
    end do
  end do
  moved = x
  call tangent(flw2d1col, bs_const, 1, bs_const, segments, bs_const, nubo, moved(:, 1), v(:, 1), moved(:, 2), v(:, 2), &
               moved(:, 3), v(:, 3), moved(:, 4), v(:, 4), moved(:, 5), v(:, 5), moved(:, 6), v(:, 6), moved(:, 7), v(:, 7), &
               moved(1, 8), v(1, 8))
  left = 0
  do k = 6, arrays
    do i = 1, counts(k)
      left = left + number(7 * k + i) * v(i, k)
    end do
  end do
  slope = abs(left - right)
  if (.not. slope <= 1d-12 * max(1d0, abs(left))) then
    print *, 'forward mode says', left, 'the gradient', right
    stop 1
  end if
contains
  real(8) function number(n)
    integer, intent(in) :: n
    number = sin(12.9898d0 * n + 4.1414d0)
  end function

  ! The outputs, weighted, with one input moved.
  real(8) function weighted(array, at, step)
    integer, intent(in) :: array, at
    real(8), intent(in) :: step
    real(8) :: y(most, arrays)
    integer :: i, k
    y = x
    y(at, array) = y(at, array) + step
    call flw2d1col(1, segments, nubo, y(:, 1), y(:, 2), y(:, 3), y(:, 4), y(:, 5), y(:, 6), y(:, 7), y(1, 8))
    weighted = 0
    do k = 6, arrays
      do i = 1, counts(k)
        weighted = weighted + number(7 * k + i) * y(i, k)
      end do
    end do
  end function
end program
