! The Fortran module: every generic, at every rank and in both precisions, against analytic derivatives.
! DEFINE: %{level} =
! DEFINE: %{check} = rm -rf %t.mods && mkdir -p %t.mods && %flang -fsyntax-only -module-dir %t.mods %root/include/backsweep.f90 && \
! DEFINE:   %flang %{level} -I%t.mods -module-dir %t.mods %pass %s -o %t %runtime && %t
! REDEFINE: %{level} = -O0
! RUN: %{check}
! REDEFINE: %{level} = -O1
! RUN: %{check}
! REDEFINE: %{level} = -O3
! RUN: %{check}

module models
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
contains
  function cube(x) result(y)
    real(real64), intent(in) :: x
    real(real64) :: y
    y = x ** 3
  end function

  function cube4(x) result(y)
    real(real32), intent(in) :: x
    real(real32) :: y
    y = x ** 3
  end function

  function wave(x) result(y)
    real(real64), intent(in) :: x(:)
    real(real64) :: y
    integer :: i
    y = 0
    do i = 1, size(x)
      y = y + i * sin(x(i)) * x(1)
    end do
  end function

  function squares4(x) result(y)
    real(real32), intent(in) :: x(:)
    real(real32) :: y
    integer :: i
    y = 0
    do i = 1, size(x)
      y = y + x(i) * x(i)
    end do
  end function

  function plane(x) result(y)
    real(real64), intent(in) :: x(:, :)
    real(real64) :: y
    integer :: i, j
    y = 0
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        y = y + (i + 10 * j) * x(i, j) ** 2
      end do
    end do
  end function

  function block(x) result(y)
    real(real64), intent(in) :: x(:, :, :)
    real(real64) :: y
    integer :: i, j, k
    y = 0
    do k = 1, size(x, 3)
      do j = 1, size(x, 2)
        do i = 1, size(x, 1)
          y = y + (i + 10 * j + 100 * k) * x(i, j, k) ** 2
        end do
      end do
    end do
  end function

  function sized(x, n) result(y)
    integer, intent(in) :: n
    real(real64), intent(in) :: x(n)
    real(real64) :: y
    integer :: i
    y = 0
    do i = 2, n
      y = y + x(i) * x(i - 1)
    end do
  end function

  subroutine model(x, y)
    real(real64), intent(in) :: x(:)
    real(real64), intent(inout) :: y(:)
    y(1) = x(1) * x(2)
    y(2) = exp(x(3))
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use backsweep
  use models
  implicit none
  real(real64), volatile :: one
  integer :: failures, i, j, k
  failures = 0
  one = 1
  call test_scalars
  call test_vectors
  call test_blocks
  call test_explicit_size
  call test_subroutine
  if (failures /= 0) stop 1

contains

  subroutine expect(what, found, expected)
    character(*), intent(in) :: what
    real(real64), intent(in) :: found, expected
    ! Written so that a NaN differs too.
    if (abs(found - expected) <= 5d-13 * max(1d0, abs(expected))) return
    print *, what, ': found', found, 'expected', expected
    failures = failures + 1
  end subroutine

  subroutine test_scalars
    real(real64) :: x, dx
    real(real32) :: x4, dx4
    x = 2 * one
    dx = 0
    call gradient(cube, x, dx)
    call expect('scalar', dx, 12d0)
    call expect('scalar value', value_and_gradient(cube, bs_primal_return, x, dx), 8d0)
    call expect('added', dx, 24d0)
    call expect('scalar tangent', tangent(cube, x, 0.5d0), 6d0)
    x4 = real(x, real32)
    dx4 = 0
    call gradient(cube4, x4, dx4)
    call expect('single', real(dx4, real64), 12d0)
    call expect('single tangent', real(tangent(cube4, x4, 0.5), real64), 6d0)
  end subroutine

  subroutine test_vectors
    real(real64) :: x(3), dx(3), wide(6), y
    real(real32) :: x4(2), dx4(2)
    x = [0.5d0, 1.5d0, -1d0] * one
    dx = 0
    y = value_and_gradient(wave, bs_primal_return, x, dx)
    call expect('value', y, wave(x))
    call expect('1', dx(1), sin(x(1)) + 2 * sin(x(2)) + 3 * sin(x(3)) + cos(x(1)) * x(1))
    call expect('2', dx(2), 2 * cos(x(2)) * x(1))
    call expect('3', dx(3), 3 * cos(x(3)) * x(1))
    call expect('tangent', tangent(wave, x, [1d0, 1d0, 1d0]), sum(dx))
    ! A section with a stride is copied, so that x and dx lie in memory alike.
    wide = 7
    call gradient(wave, x, wide(1:6:2))
    do i = 1, 3
      call expect('strided derivative', wide(2 * i - 1), 7 + dx(i))
      call expect('its neighbour', wide(2 * i), 7d0)
    end do
    wide(2:6:2) = x
    x = 0
    call gradient(wave, wide(2:6:2), x)
    call expect('strided argument', x(3), dx(3))
    x4 = [1.0, 3.0]
    dx4 = 0
    call gradient(squares4, x4, dx4)
    call expect('single', real(dx4(2), real64), 6d0)
  end subroutine

  subroutine test_blocks
    real(real64) :: x(2, 3), dx(2, 3), z(2, 3, 2), dz(2, 3, 2)
    do j = 1, 3
      do i = 1, 2
        x(i, j) = (i - j) * one
        do k = 1, 2
          z(i, j, k) = (i + j - k) * one
        end do
      end do
    end do
    dx = 0
    dz = 0
    call gradient(plane, x, dx)
    call gradient(block, z, dz)
    call expect('tangent of rank 2', tangent(plane, x, dx), sum(dx * dx))
    call expect('tangent of rank 3', tangent(block, z, dz), sum(dz * dz))
    do j = 1, 3
      do i = 1, 2
        call expect('rank 2', dx(i, j), 2 * (i + 10 * j) * x(i, j))
        do k = 1, 2
          call expect('rank 3', dz(i, j, k), 2 * (i + 10 * j + 100 * k) * z(i, j, k))
        end do
      end do
    end do
    call expect('value of rank 3', value_and_gradient(block, bs_primal_return, z, dz), block(z))
  end subroutine

  subroutine test_explicit_size
    real(real64) :: x(4), dx(4), y
    x = [1d0, 2d0, 3d0, 5d0] * one
    dx = 0
    call gradient(sized, x, dx, bs_const, 4)
    call expect('sized', dx(2), 4d0)
    y = value_and_gradient(sized, bs_primal_return, x, dx, bs_const, 3)
    call expect('sized value', y, 8d0)
    call expect('sized again', dx(3), 7d0 + 2d0)
    call expect('sized tangent', tangent(sized, x, [1d0, 0d0, 0d0, 1d0], bs_const, 4), 5d0)
  end subroutine

  subroutine test_subroutine
    real(real64) :: x(3), dx(3), y(2), dy(2)
    x = [2d0, 3d0, 0.5d0] * one
    dx = 0
    y = 0
    dy = [1d0, 2d0]
    call gradient(model, x, dx, y, dy)
    call expect('result', y(1), 6d0)
    call expect('pulled back 1', dx(1), 3d0)
    call expect('pulled back 3', dx(3), 2 * exp(x(3)))
    call expect('seed is used up', dy(2), 0d0)
    call push_forward(model, x, [1d0, 1d0, 2d0], y, dy)
    call expect('pushed forward 1', dy(1), 5d0)
    call expect('pushed forward 2', dy(2), 2 * exp(x(3)))
  end subroutine
end program
