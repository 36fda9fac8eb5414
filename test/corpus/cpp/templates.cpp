// Expression templates over fixed-size vectors: everything is inlined, or nothing at -O0.
#include <cstddef>
#include <cstdio>

template <std::size_t N> struct Vec {
  double at[N];
  double operator[](std::size_t i) const { return at[i]; }
};

template <class L, class R> struct Sum {
  const L &left;
  const R &right;
  double operator[](std::size_t i) const { return left[i] + right[i]; }
};

template <class E> struct Scaled {
  double factor;
  const E &inner;
  double operator[](std::size_t i) const { return factor * inner[i]; }
};

template <class L, class R> Sum<L, R> operator+(const L &l, const R &r) { return {l, r}; }
template <class E> Scaled<E> operator*(double factor, const E &e) { return {factor, e}; }

template <std::size_t N, class E> double norm2(const E &e) {
  if constexpr (N == 0)
    return 0.0;
  else
    return norm2<N - 1>(e) + e[N - 1] * e[N - 1];
}

extern "C" double f(const double *x, int n) {
  Vec<6> a, b;
  for (int i = 0; i < 6; i++) {
    a.at[i] = x[i % n];
    b.at[i] = x[(i + 1) % n] * i;
  }
  auto sum = a + 0.5 * b;
  return norm2<6>(sum + a) * norm2<3>(b);
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
