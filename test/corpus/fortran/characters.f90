! Character arguments and internal files around the numbers: the text chooses the formula.
module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  function apply(name, v) result(r)
    character(len=*), intent(in) :: name
    real(c_double), intent(in) :: v
    real(c_double) :: r
    select case (trim(name))
    case ('sin')
      r = sin(v)
    case ('gauss')
      r = exp(-v * v)
    case ('half')
      r = 0.5d0 * v
    case default
      r = v * len_trim(name)
    end select
  end function

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    character(len=8) :: names(4)
    character(len=:), allocatable :: joined
    character(len=12) :: text
    integer :: i, digits
    names = ['sin     ', 'gauss   ', 'half    ', 'other   ']
    joined = ''
    r = 0.0d0
    do i = 1, n
      r = r + apply(names(mod(i, 4) + 1), x(i))
      joined = joined // names(i)(1:2)
    end do
    write (text, '(I4)') len(joined)
    read (text, *) digits
    if (index(joined, 'ga') > 0) r = r * digits
  end function
end module

program print_value
  use iso_c_binding, only: c_double
  use corpus
  implicit none
  real(c_double) :: x(4)
  x = [0.5d0, -0.25d0, 0.75d0, 1.25d0]
  print '(ES20.12)', f(x, 4)
end program
