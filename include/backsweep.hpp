// backsweep.hpp: derivatives of C++ functions, lambdas and functors, for clang 22 with the Backsweep plugin
// (`backsweep c++`, or clang++-22 -fpass-plugin=libbacksweep.so). C++17 and later.
//
//     auto f = [&](const std::vector<double> &x) { ... return cost; };
//
//     backsweep::gradient(f, x)              df/dx, of the type of x
//     backsweep::value_and_gradient(f, x)    { value, gradient } in one run
//     backsweep::gradient(f, x, y)           { df/dx, df/dy }: std::tuple, for two arguments and more
//     backsweep::accumulate_gradient(f, x, dx)   dx += df/dx, where nothing is to be allocated
//     backsweep::jvp(f, x, v)                J v, forward mode; f returns a number or a container
//     backsweep::vjp(f, x, w)                J^T w, reverse mode
//     backsweep::jacobian(f, x)              a matrix; the mode that needs fewer runs
//     backsweep::hvp(f, x, v)                H v, reverse over forward
//     backsweep::hessian(f, x)               a matrix
//
// x is a float or double, std::array, std::vector, std::span, or an Eigen vector if <Eigen/Core> was included before.
// The gradient in a span is a std::vector. A matrix is backsweep::matrix, or Eigen::Matrix where x is Eigen's.
//
// FUNCTIONS. The plugin needs the function by name, so a function is a template argument:
//
//     double norm(const std::vector<double> &x);
//     backsweep::gradient<norm>(x);
//
// and so for every name above; an overloaded or templated function goes into a lambda. What a lambda captures, and what
// a functor holds, is constant: it is not differentiated. f takes containers by reference and must not change them.
//
// f is compiled as it is; nothing is recorded that the plugin does not record for the hook alone, and the header adds no
// work of its own but the zeros that it returns the derivative in (jvp, vjp and jacobian also run f once where it returns
// a std::vector or another container of unknown size, to learn that size).
#ifndef BACKSWEEP_HPP
#define BACKSWEEP_HPP

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#define BACKSWEEP_HAS_SPAN 1
#endif

#include "backsweep.h"

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "backsweep.hpp needs C++17 or later; backsweep.h works with any"
#endif

extern "C" {
long double __backsweep_gradient_long_double(void *function, ...);
long double __backsweep_tangent_long_double(void *function, ...);
}

namespace backsweep {

// What value_and_gradient returns.
template <class Value, class Gradient> struct valued_gradient {
    Value value;
    Gradient gradient;
};

// Rows and columns of numbers, row by row.
template <class T> class matrix {
public:
    using value_type = T;

    matrix() = default;
    matrix(std::size_t rows, std::size_t columns) : columns_(columns), numbers_(rows * columns) {}

    std::size_t rows() const { return columns_ == 0 ? 0 : numbers_.size() / columns_; }
    std::size_t cols() const { return columns_; }
    T &operator()(std::size_t i, std::size_t j) { return numbers_[i * columns_ + j]; }
    const T &operator()(std::size_t i, std::size_t j) const { return numbers_[i * columns_ + j]; }
    const T *data() const { return numbers_.data(); }

private:
    std::size_t columns_ = 0;
    std::vector<T> numbers_;
};

// A function known at compile time as a functor: what `gradient<f>(x)` hands to `gradient`.
template <auto f> struct function {
    template <class... X> auto operator()(const X &...x) const { return f(x...); }
};

namespace detail {

template <class> inline constexpr bool always_false = false;

// ---- What can be differentiated, how its numbers are reached, and where its derivative is kept ----

// `number`: the type of one element; `own`: the type that a derivative is returned in; `fixed`: the type knows the size.
template <class X, class = void> struct kind {
    static_assert(always_false<X>, "backsweep: the argument is no floating-point number, std::array, std::vector, std::span "
                                   "or Eigen vector (include <Eigen/Core> before backsweep.hpp)");
};

template <class X> struct kind<X, std::enable_if_t<std::is_floating_point_v<X>>> {
    using number = X;
    using own = X;
    static constexpr bool fixed = true;
    static std::size_t size(const X &) { return 1; }
    static number &at(own &x, std::size_t) { return x; }
    static X zero(const X &) { return X(0); }
};

template <class X> struct indexed {
    static std::size_t size(const X &x) { return static_cast<std::size_t>(x.size()); }
    template <class Own> static auto &at(Own &x, std::size_t i) { return x[i]; }
};

template <class T, std::size_t n> struct kind<std::array<T, n>> : indexed<std::array<T, n>> {
    using number = T;
    using own = std::array<T, n>;
    static constexpr bool fixed = true;
    static own zero(const own &) { return own{}; }
};

template <class T, class A> struct kind<std::vector<T, A>> : indexed<std::vector<T, A>> {
    using number = T;
    using own = std::vector<T, A>;
    static constexpr bool fixed = false;
    static own zero(const own &x) { return own(x.size(), T(0), x.get_allocator()); }
};

#ifdef BACKSWEEP_HAS_SPAN
template <class T, std::size_t n> struct kind<std::span<T, n>> : indexed<std::span<T, n>> {
    using number = std::remove_const_t<T>;
    using own = std::vector<number>;
    static constexpr bool fixed = false;
    static own zero(const std::span<T, n> &x) { return own(x.size(), number(0)); }
};
#endif

#ifdef EIGEN_CORE_H
template <class X> struct kind<X, std::enable_if_t<std::is_base_of_v<Eigen::PlainObjectBase<X>, X>>> {
    static_assert(X::IsVectorAtCompileTime, "backsweep: an Eigen argument has to be a vector");
    using number = typename X::Scalar;
    using own = X;
    static constexpr bool fixed = X::SizeAtCompileTime != Eigen::Dynamic;
    static std::size_t size(const X &x) { return static_cast<std::size_t>(x.size()); }
    static number &at(own &x, std::size_t i) { return x.data()[i]; }
    static X zero(const X &x) { return X::Zero(x.rows(), x.cols()); }
};
template <class X> inline constexpr bool is_eigen = std::is_base_of_v<Eigen::EigenBase<X>, X>;
template <class T> using eigen_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
#else
template <class> inline constexpr bool is_eigen = false;
template <class T> using eigen_matrix = matrix<T>;
#endif

template <class X> using own_t = typename kind<X>::own;
template <class X> using number_t = typename kind<X>::number;
template <class X> using matrix_t = std::conditional_t<is_eigen<X>, eigen_matrix<number_t<X>>, matrix<number_t<X>>>;
template <class F, class... X> using result_t = std::decay_t<std::invoke_result_t<const F &, const X &...>>;

// A shadow has the layout of what it shadows, so a span's is a second span, over numbers that somebody else holds.
template <class X> struct shadow {
    void *address;
    explicit shadow(const X &own) : address(const_cast<X *>(std::addressof(own))) {}
};

#ifdef BACKSWEEP_HAS_SPAN
template <class T, std::size_t n> struct shadow<std::span<T, n>> {
    std::span<std::remove_const_t<T>, n> numbers;
    void *address = &numbers;
    // A direction is only read and may be const; what it is, the caller knows.
    template <class Own>
    explicit shadow(const Own &own)
        : numbers(const_cast<std::remove_const_t<T> *>(own.data()), own.size()) {}
    shadow(const shadow &) = delete;
};
#endif

template <class X> void *untyped(const X &x) { return const_cast<X *>(std::addressof(x)); }

template <class X> auto unit(const X &x, std::size_t i) {
    auto own = kind<X>::zero(x);
    kind<X>::at(own, i) = number_t<X>(1);
    return own;
}

template <class Y, class F, class X> own_t<Y> zero_result(const F &f, const X &x) {
    if constexpr (kind<Y>::fixed)
        return own_t<Y>{};
    else
        return kind<Y>::zero(f(x));
}

// ---- What the hooks are given: functions of their own for every functor type, so that each is known by its name ----

template <class R, class F, class... X> R call(const F *f, const X *...x) { return (*f)(*x...); }

template <class Y, class F, class X> void call_into(const F *f, const X *x, Y *y) {
    if constexpr (kind<Y>::fixed) {
        *y = (*f)(*x);
    } else {
        // Not an assignment: that would exchange the memory, whose shadow the caller has made.
        const auto result = (*f)(*x);
        const std::size_t n = kind<Y>::size(result);
        for (std::size_t i = 0; i < n; ++i)
            y->data()[i] = result.data()[i];
    }
}

template <class R, class F, class... X> void *address() {
    return reinterpret_cast<void *>(static_cast<R (*)(const F *, const X *...)>(&call<R, F, X...>));
}
template <class Y, class F, class X> void *address_into() {
    return reinterpret_cast<void *>(static_cast<void (*)(const F *, const X *, Y *)>(&call_into<Y, F, X>));
}

// A pointer without a token is followed by its shadow: `places` has them in turn.
template <class R, class... X, class F, std::size_t... i>
R run_reverse(const F &f, const std::array<void *, 2 * sizeof...(X)> &places, std::index_sequence<i...>) {
    if constexpr (std::is_same_v<R, float>)
        return __backsweep_gradient_float(address<R, F, X...>(), bs_primal_return, bs_const, untyped(f), places[i]...);
    else if constexpr (std::is_same_v<R, double>)
        return __backsweep_gradient(address<R, F, X...>(), bs_primal_return, bs_const, untyped(f), places[i]...);
    else
        return __backsweep_gradient_long_double(address<R, F, X...>(), bs_primal_return, bs_const, untyped(f),
                                                places[i]...);
}

template <class R, class X, class F> R run_forward(const F &f, const X &x, void *v) {
    if constexpr (std::is_same_v<R, float>)
        return __backsweep_tangent_float(address<R, F, X>(), bs_const, untyped(f), bs_dup, untyped(x), v);
    else if constexpr (std::is_same_v<R, double>)
        return __backsweep_tangent(address<R, F, X>(), bs_const, untyped(f), bs_dup, untyped(x), v);
    else
        return __backsweep_tangent_long_double(address<R, F, X>(), bs_const, untyped(f), bs_dup, untyped(x), v);
}

// The derivative in the direction v as a function, whose gradient is the Hessian applied to v. In this order, reverse over
// forward, the inner derivative needs no tape.
template <class R, class F, class X> R slope(const F *f, const X *x, const X *v) {
    return run_forward<R>(*f, *x, const_cast<X *>(v));
}
template <class R, class F, class X> void *address_of_slope() {
    return reinterpret_cast<void *>(static_cast<R (*)(const F *, const X *, const X *)>(&slope<R, F, X>));
}

// ---- Messages at the place of the call, instead of the template's ----

template <class F> void check_functor() {
    static_assert(!std::is_function_v<F> && !std::is_pointer_v<F>,
                  "backsweep: a function is given as a template argument, gradient<f>(x) instead of gradient(f, x); or "
                  "write a lambda that calls it");
}

template <class F, class... X> void check_scalar_function() {
    check_functor<F>();
    static_assert(std::is_floating_point_v<result_t<F, X...>>,
                  "backsweep: the function has to return float, double or long double here; for one that returns a "
                  "container there are jvp, vjp and jacobian");
}

} // namespace detail

// Returns f(x) and adds df/dx to dx, which has the type of x; for a span it may be any vector or span.
template <class F, class X, class Own> auto accumulate_gradient(const F &f, const X &x, Own &&dx) {
    detail::check_scalar_function<F, X>();
    using R = detail::result_t<F, X>;
    detail::shadow<X> shadow(dx);
    return detail::run_reverse<R, X>(f, {detail::untyped(x), shadow.address}, std::make_index_sequence<2>());
}

// The gradient is of the type of x, or the std::tuple of those of x and y...
template <class F, class X, class... Y> auto value_and_gradient(const F &f, const X &x, const Y &...y) {
    detail::check_scalar_function<F, X, Y...>();
    using R = detail::result_t<F, X, Y...>;
    constexpr std::size_t arguments = 1 + sizeof...(Y);
    std::tuple<detail::own_t<X>, detail::own_t<Y>...> all{detail::kind<X>::zero(x), detail::kind<Y>::zero(y)...};
    auto run = [&](auto &dx, auto &...dy) {
        std::tuple<detail::shadow<X>, detail::shadow<Y>...> shadows{dx, dy...};
        return std::apply(
            [&](auto &shadow_x, auto &...shadow_y) {
                std::array<void *, 2 * arguments> places{detail::untyped(x), shadow_x.address};
                std::size_t next = 2;
                ((places[next] = detail::untyped(y), places[next + 1] = shadow_y.address, next += 2), ...);
                return detail::run_reverse<R, X, Y...>(f, places, std::make_index_sequence<2 * arguments>());
            },
            shadows);
    };
    const R value = std::apply(run, all);
    if constexpr (arguments == 1)
        return valued_gradient<R, detail::own_t<X>>{value, std::move(std::get<0>(all))};
    else
        return valued_gradient<R, decltype(all)>{value, std::move(all)};
}

template <class F, class... X> auto gradient(const F &f, const X &...x) { return value_and_gradient(f, x...).gradient; }

// The derivative of f at x in the direction v, of the type that f returns.
template <class F, class X, class V> auto jvp(const F &f, const X &x, const V &v) {
    detail::check_functor<F>();
    using Y = detail::result_t<F, X>;
    detail::shadow<X> direction(v);
    if constexpr (std::is_floating_point_v<Y>) {
        return detail::run_forward<Y>(f, x, direction.address);
    } else {
        auto y = detail::zero_result<Y>(f, x);
        auto dy = detail::kind<Y>::zero(y);
        __backsweep_tangent_void(detail::address_into<Y, F, X>(), bs_const, detail::untyped(f), bs_dup,
                                 detail::untyped(x), direction.address, bs_dup, &y, &dy);
        return dy;
    }
}

// The transposed derivative of f at x applied to w, which is of the type that f returns.
template <class F, class X> auto vjp(const F &f, const X &x, detail::result_t<F, X> w) {
    detail::check_functor<F>();
    using Y = detail::result_t<F, X>;
    auto dx = detail::kind<X>::zero(x);
    detail::shadow<X> shadow(dx);
    if constexpr (std::is_floating_point_v<Y>) {
        __backsweep_gradient_void(detail::address<Y, F, X>(), bs_seed, w, bs_const, detail::untyped(f), bs_dup,
                                  detail::untyped(x), shadow.address);
    } else {
        auto y = detail::kind<Y>::zero(w);
        __backsweep_gradient_void(detail::address_into<Y, F, X>(), bs_const, detail::untyped(f), bs_dup,
                                  detail::untyped(x), shadow.address, bs_dup, &y, &w);
    }
    return dx;
}

// d f_i / d x_j, a row for every number that f returns.
template <class F, class X> auto jacobian(const F &f, const X &x) {
    detail::check_functor<F>();
    using Y = detail::result_t<F, X>;
    const auto y = detail::zero_result<Y>(f, x);
    const std::size_t rows = detail::kind<Y>::size(y), columns = detail::kind<X>::size(x);
    detail::matrix_t<X> result(rows, columns);
    if (columns <= rows) {
        for (std::size_t j = 0; j < columns; ++j) {
            auto column = jvp(f, x, detail::unit(x, j));
            for (std::size_t i = 0; i < rows; ++i)
                result(i, j) = detail::kind<Y>::at(column, i);
        }
    } else {
        for (std::size_t i = 0; i < rows; ++i) {
            auto row = vjp(f, x, detail::unit(y, i));
            for (std::size_t j = 0; j < columns; ++j)
                result(i, j) = detail::kind<detail::own_t<X>>::at(row, j);
        }
    }
    return result;
}

// The second derivative of f at x applied to v.
template <class F, class X, class V> auto hvp(const F &f, const X &x, const V &v) {
    detail::check_scalar_function<F, X>();
    using R = detail::result_t<F, X>;
    auto dx = detail::kind<X>::zero(x);
    detail::shadow<X> direction(v), shadow(dx);
    __backsweep_gradient_void(detail::address_of_slope<R, F, X>(), bs_const, detail::untyped(f), bs_dup,
                              detail::untyped(x), shadow.address, bs_const, direction.address);
    return dx;
}

// d2 f / dx_i dx_j; of a function of one number, a number.
template <class F, class X> auto hessian(const F &f, const X &x) {
    if constexpr (std::is_floating_point_v<X>) {
        return hvp(f, x, X(1));
    } else {
        const std::size_t n = detail::kind<X>::size(x);
        detail::matrix_t<X> result(n, n);
        for (std::size_t j = 0; j < n; ++j) {
            auto column = hvp(f, x, detail::unit(x, j));
            for (std::size_t i = 0; i < n; ++i)
                result(i, j) = detail::kind<detail::own_t<X>>::at(column, i);
        }
        return result;
    }
}

// ---- The same for a function given as template argument ----

template <auto f, class... X> auto gradient(const X &...x) { return gradient(function<f>(), x...); }
template <auto f, class... X> auto value_and_gradient(const X &...x) { return value_and_gradient(function<f>(), x...); }
template <auto f, class X, class Own> auto accumulate_gradient(const X &x, Own &&dx) {
    return accumulate_gradient(function<f>(), x, dx);
}
template <auto f, class X, class V> auto jvp(const X &x, const V &v) { return jvp(function<f>(), x, v); }
template <auto f, class X, class W> auto vjp(const X &x, const W &w) { return vjp(function<f>(), x, w); }
template <auto f, class X> auto jacobian(const X &x) { return jacobian(function<f>(), x); }
template <auto f, class X, class V> auto hvp(const X &x, const V &v) { return hvp(function<f>(), x, v); }
template <auto f, class X> auto hessian(const X &x) { return hessian(function<f>(), x); }

} // namespace backsweep

#endif
