module shallow
contains
  subroutine step(u, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    integer :: i
    do i = 2, n - 1
      u(i) = u(i) + 0.1d0 * u(i) * u(i + 1)
    end do
  end subroutine
  function cost(u, n) result(s)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(n)
    real(8) :: s
    integer :: t
    do t = 1, 10
      call step(u, n)
    end do
    s = u(1) + u(n - 1)
  end function
end module
