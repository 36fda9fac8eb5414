! Internal procedures that are handed to procedures that call themselves, alone, two at once and from one to another.
! RUN: %levels %s double 0.9 1.1 0.7 1.3
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
contains
  recursive function adaptive(g, a, b, tol, depth) result(s)
    interface
      function g(t) result(r)
        import dp
        real(dp), intent(in) :: t
        real(dp) :: r
      end function
    end interface
    real(dp), intent(in) :: a, b, tol
    integer, intent(in) :: depth
    real(dp) :: s, m, one, two
    m = (a+b)/2
    one = (b-a)/6 * (g(a) + 4*g(m) + g(b))
    two = (b-a)/12 * (g(a) + 4*g((a+m)/2) + 2*g(m) + 4*g((m+b)/2) + g(b))
    if (abs(one-two) < tol .or. depth > 6) then
      s = two
    else
      s = adaptive(g, a, m, tol/2, depth+1) + adaptive(g, m, b, tol/2, depth+1)
    end if
  end function
  recursive subroutine walk(g, h, t, depth, s)
    interface
      function g(t) result(r)
        import dp
        real(dp), intent(in) :: t
        real(dp) :: r
      end function
      subroutine h(t, r)
        import dp
        real(dp), intent(in) :: t
        real(dp), intent(inout) :: r
      end subroutine
    end interface
    real(dp), intent(in) :: t
    integer, intent(in) :: depth
    real(dp), intent(inout) :: s
    integer :: k
    if (depth == 0) return
    call h(t, s)
    do k = 1, 2
      s = s + g(t) * g(s)
      call turn(g, h, t * k, depth - 1, s)
    end do
  end subroutine
  recursive subroutine turn(g, h, t, depth, s)
    interface
      function g(t) result(r)
        import dp
        real(dp), intent(in) :: t
        real(dp) :: r
      end function
      subroutine h(t, r)
        import dp
        real(dp), intent(in) :: t
        real(dp), intent(inout) :: r
      end subroutine
    end interface
    real(dp), intent(in) :: t
    integer, intent(in) :: depth
    real(dp), intent(inout) :: s
    s = s * 0.5_dp
    call walk(g, h, t + 0.1_dp, depth, s)
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp) :: memory(2), s
    memory = x(2:3)
    s = x(1)
    call walk(local, add, x(4), 3, s)
    y = s + memory(2)
    s = x(2)
    call walk(local, add2, x(4), 2, s)
    call turn(sine, add2, x(1), 2, s)
    y = y + s * memory(1)
    y = y + adaptive(local, x(1), 2.0_dp, 1e-3_dp, 0) - adaptive(sine, x(1), x(4), 1e-3_dp, 0)
  contains
    function local(t) result(r)
      real(dp), intent(in) :: t
      real(dp) :: r
      r = sin(t * memory(1)) + x(3)
    end function
    subroutine add(t, r)
      real(dp), intent(in) :: t
      real(dp), intent(inout) :: r
      r = r + t * memory(2)
      memory(2) = memory(2) * 0.9_dp + 0.01_dp * t * r
    end subroutine
    subroutine add2(t, r)
      real(dp), intent(in) :: t
      real(dp), intent(inout) :: r
      r = r + local(t) * memory(2)
      memory(1) = memory(1) * cos(r)
    end subroutine
  end function
  function sine(t) result(r)
    real(dp), intent(in) :: t
    real(dp) :: r
    r = sin(t)
  end function
end module
include 'requests.inc'
