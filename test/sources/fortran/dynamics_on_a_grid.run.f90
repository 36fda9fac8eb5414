! Dynamics on a grid as ocean models have it: arrays of a module that are allocated once, a status for each, a mask.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module par_kind
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
end module
module dom_oce
  use par_kind
  implicit none
  integer, save :: jpi, jpj
  real(dp), allocatable, save, dimension(:,:) :: e1t, e2t, tmask, hbat
  real(dp), allocatable, save, dimension(:,:), target :: un, vn, ssh, ua, va, ssha
  real(dp), pointer, dimension(:,:) :: zwork => null()
  logical, save :: ln_nonlin = .true.
contains
  integer function dom_oce_alloc(ni, nj)
    integer, intent(in) :: ni, nj
    integer :: ierr(3)
    jpi = ni
    jpj = nj
    allocate(e1t(jpi, jpj), e2t(jpi, jpj), tmask(0:jpi+1, 0:jpj+1), hbat(jpi, jpj), stat=ierr(1))
    allocate(un(0:jpi+1, 0:jpj+1), vn(0:jpi+1, 0:jpj+1), ssh(0:jpi+1, 0:jpj+1), stat=ierr(2))
    allocate(ua(0:jpi+1, 0:jpj+1), va(0:jpi+1, 0:jpj+1), ssha(0:jpi+1, 0:jpj+1), stat=ierr(3))
    dom_oce_alloc = maxval(ierr)
  end function
  subroutine dom_init(ni, nj)
    integer, intent(in) :: ni, nj
    integer :: i, j
    if (allocated(e1t)) return
    if (dom_oce_alloc(ni, nj) /= 0) stop 'dom_init: no memory'
    do j = 1, nj
      do i = 1, ni
        e1t(i, j) = 1 + 0.01_dp * i
        e2t(i, j) = 1 - 0.01_dp * j
        hbat(i, j) = 10 + 0.1_dp * i * j
      end do
    end do
    tmask = 0
    tmask(1:ni, 1:nj) = 1
    tmask(3, 2) = 0
    un = 0
    vn = 0
    ssh = 0
    ua = 0
    va = 0
    ssha = 0
  end subroutine
end module
module dyn
  use dom_oce
  implicit none
contains
  subroutine lbc(a)
    real(dp), intent(inout) :: a(0:, 0:)
    a(0, :) = a(jpi, :)
    a(jpi+1, :) = a(1, :)
    a(:, 0) = a(:, jpj)
    a(:, jpj+1) = a(:, 1)
  end subroutine
  subroutine step(kt, rdt)
    integer, intent(in) :: kt
    real(dp), intent(in) :: rdt
    integer :: ji, jj
    real(dp) :: zu
    if (.not. associated(zwork)) allocate(zwork(jpi, jpj))
    call lbc(un)
    call lbc(vn)
    call lbc(ssh)
    do jj = 1, jpj
      do ji = 1, jpi
        zwork(ji, jj) = (un(ji+1, jj) - un(ji-1, jj)) / e1t(ji, jj) + (vn(ji, jj+1) - vn(ji, jj-1)) / e2t(ji, jj)
      end do
    end do
    do concurrent (jj = 1:jpj, ji = 1:jpi)
      ssha(ji, jj) = (ssh(ji, jj) - rdt * hbat(ji, jj) * zwork(ji, jj)) * tmask(ji, jj)
    end do
    do jj = 1, jpj
      do ji = 1, jpi
        zu = 0
        if (ln_nonlin) zu = un(ji, jj) * (un(ji+1, jj) - un(ji-1, jj)) / e1t(ji, jj)
        ua(ji, jj) = (un(ji, jj) - rdt * (9.81_dp * (ssh(ji+1, jj) - ssh(ji-1, jj)) / e1t(ji, jj) + zu)) * tmask(ji, jj)
        va(ji, jj) = (vn(ji, jj) - rdt * 9.81_dp * (ssh(ji, jj+1) - ssh(ji, jj-1)) / e2t(ji, jj)) * tmask(ji, jj)
      end do
    end do
    un = ua
    vn = va
    ssh = ssha
    if (mod(kt, 2) == 0) call swap_filter(0.05_dp)
  end subroutine
  subroutine swap_filter(c)
    real(dp), intent(in) :: c
    where (tmask(1:jpi, 1:jpj) > 0.5_dp)
      ssh(1:jpi, 1:jpj) = ssh(1:jpi, 1:jpj) + c * (sum(ssh(1:jpi, 1:jpj)) / count(tmask > 0.5_dp) - ssh(1:jpi, 1:jpj))
    end where
  end subroutine
end module
module program_under_test
  use dyn
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: kt, i, j
    call dom_init(5, 4)
    un = 0.1_dp * x(3)
    vn = 0
    ssh = 0
    do j = 1, jpj
      do i = 1, jpi
        ssh(i, j) = x(1) * 0.1_dp * sin(x(2) * i) * cos(0.5_dp * j)
        vn(i, j) = x(4) * 0.01_dp * i
      end do
    end do
    do kt = 1, 4
      call step(kt, 0.01_dp)
    end do
    y = sum(ssh(1:jpi, 1:jpj)**2 * e1t * e2t) + sum(un(1:jpi, 1:jpj)) + sum(vn(2, :)**2)
  end function
end module

include 'requests.inc'
