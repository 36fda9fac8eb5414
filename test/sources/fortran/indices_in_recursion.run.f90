! Indices that are sorted by a procedure that calls itself: where arrays lie and how far apart their elements are is found in memory there,
! so that it is by being indices that integers are told from numbers.
! RUN: %levels %s double 0.62 1.27 0.31 0.83
module sorted_by_index
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
contains
  recursive subroutine merge_sort(a, idx)
    real(dp), intent(in) :: a(:)
    integer, intent(inout) :: idx(:)
    integer :: m, i, j, k, t(size(idx))
    m = size(idx)/2
    if (m == 0) return
    call merge_sort(a, idx(:m))
    call merge_sort(a, idx(m+1:))
    i = 1
    j = m + 1
    do k = 1, size(idx)
      if (j > size(idx)) then
        t(k) = idx(i); i = i + 1
      else if (i > m) then
        t(k) = idx(j); j = j + 1
      else if (a(idx(i)) <= a(idx(j))) then
        t(k) = idx(i); i = i + 1
      else
        t(k) = idx(j); j = j + 1
      end if
    end do
    idx = t
  end subroutine
end module
module program_under_test
  use, intrinsic :: iso_c_binding
  use sorted_by_index
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp) :: q(7)
    integer :: i, idx(7)
    q = [(x(2)*cos(2.0_dp*i) + 0.1_dp*x(1)**2*i, i=1,7)]
    idx = [(i, i=1,7)]
    call merge_sort(q, idx)
    y = sum(q(idx)*[(i, i=1,7)]) + q(idx(4))**2
    y = y*x(4) + x(3)
  end function
end module
include 'requests.inc'
