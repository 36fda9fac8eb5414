! A shallow layer of water whose fields are allocatable components: what lies in front of a store of one field is loaded before it, and LLVM makes
! vectors of the loop in the forward sweep as in the primal, and twice on the way back.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
! RUN: rm -rf %t.mods && mkdir -p %t.mods
! RUN: %flang -O3 -g -module-dir %t.mods -I%S/../Inputs %pass -Rpass=loop-vectorize -c %s -o %t.o 2>&1 | FileCheck %s
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  type layer
    real(c_double), allocatable :: u(:, :), v(:, :), h(:, :)
    real(c_double) :: dx = 0.1d0, dt = 0.01d0
  end type
contains
  subroutine step(s, w)
    type(layer), intent(inout) :: s, w
    integer :: i, j, n, m
    n = size(s%u, 1); m = size(s%u, 2)
    ! CHECK-COUNT-4: fields_of_a_type.run.f90:{{2[0-3]}}:{{.*}}vectorized loop
    do j = 2, m - 1
      do i = 2, n - 1
        w%u(i, j) = s%u(i, j) - s%dt*(s%u(i, j)*(s%u(i+1, j) - s%u(i-1, j)) + s%v(i, j)*(s%u(i, j+1) - s%u(i, j-1)) &
                                      + (s%h(i+1, j) - s%h(i-1, j)))/(2*s%dx)
        w%v(i, j) = s%v(i, j) - s%dt*(s%u(i, j)*(s%v(i+1, j) - s%v(i-1, j)) + s%v(i, j)*(s%v(i, j+1) - s%v(i, j-1)) &
                                      + (s%h(i, j+1) - s%h(i, j-1)))/(2*s%dx)
        w%h(i, j) = s%h(i, j) - s%dt*(s%h(i+1, j)*s%u(i+1, j) - s%h(i-1, j)*s%u(i-1, j) &
                                      + s%h(i, j+1)*s%v(i, j+1) - s%h(i, j-1)*s%v(i, j-1))/(2*s%dx)
      end do
    end do
    s%u(2:n-1, 2:m-1) = w%u(2:n-1, 2:m-1)
    s%v(2:n-1, 2:m-1) = w%v(2:n-1, 2:m-1)
    s%h(2:n-1, 2:m-1) = w%h(2:n-1, 2:m-1)
  end subroutine

  function f(x, n) result(y)
    integer(c_int), value :: n
    real(c_double) :: x(n), y
    type(layer) :: s, w
    real(c_double), allocatable :: all(:)
    integer :: i, k, m
    m = 5*n
    allocate(all(3*m*m))
    allocate(s%u(m, m), s%v(m, m), s%h(m, m))
    do i = 1, 3*m*m
      all(i) = x(1 + mod(i + i/7, n))*(1 + 0.1d0*mod(i, 5))
    end do
    s%u = 0.1d0*reshape(all(1:m*m), [m, m])
    s%v = 0.1d0*reshape(all(m*m+1:2*m*m), [m, m])
    s%h = 1 + 0.1d0*reshape(all(2*m*m+1:3*m*m), [m, m])
    w = s
    do k = 1, 6
      call step(s, w)
    end do
    y = sum(s%u**2) + sum(s%h*s%v)
  end function
end module
include 'requests.inc'
