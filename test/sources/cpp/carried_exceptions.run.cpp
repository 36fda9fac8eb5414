// Exceptions that carry numbers, thrown and caught inside: edited and handed on, caught as what they derive from, by value,
// one while another is held, and beside exceptions of the library.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <cmath>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Values of its own, and a message of the library's.
struct Negative : std::domain_error {
  double value, limit;
  Negative(double value, double limit) : std::domain_error("negative"), value(value), limit(limit) {}
};

// One class of exceptions and two that derive from it and carry more, at other places.
struct Trouble : std::exception {
  double weight;
  explicit Trouble(double weight) : weight(weight) {}
  const char *what() const noexcept override { return "trouble"; }
};
struct Steep : Trouble {
  int order;
  double slope;
  Steep(double weight, int order, double slope) : Trouble(weight), order(order), slope(slope) {}
  const char *what() const noexcept override { return "steep"; }
};
struct Flat : Trouble {
  double height;
  Flat(double weight, double height) : Trouble(weight), height(height) {}
};

// A plain record, thrown as a copy of a variable.
struct Found {
  int at;
  double value;
  float half;
};

static double root(double v, double limit) {
  if (v < limit)
    throw Negative(v, limit);
  return std::sqrt(v - limit + 0.1);
}

// Edits what it has caught, and hands it on.
static double scaled(double v, double limit) {
  std::vector<double> work(3, v);
  try {
    return root(work[0], limit) * work[2];
  } catch (Negative &problem) {
    problem.value *= work[1];
    problem.limit += 1.0;
    throw;
  }
}

// What is thrown may also be the library's: then nothing is read of it.
static double mixed(const std::vector<double> &v, size_t at, double limit) {
  try {
    return scaled(v.at(at), limit);
  } catch (const Negative &problem) {
    return problem.value * problem.limit;
  } catch (const std::exception &problem) {
    return 0.5 * v[0] * std::string(problem.what()).size() / 50.0;
  }
}

static double climb(double v, int step) {
  if (step % 3 == 0)
    throw Steep(v * v, step, std::sin(v));
  if (step % 3 == 1)
    throw Flat(v + 1.0, v * 0.25);
  return v;
}

static double choose(double v, int step) {
  try {
    try {
      return climb(v, step);
    } catch (Steep &steep) {
      if (steep.order > 2)
        throw Flat(steep.slope, steep.weight);
      return steep.slope * steep.weight;
    }
  } catch (const Flat &flat) {
    return flat.height * flat.weight;
  } catch (const Trouble &trouble) {
    return trouble.weight;
  }
}

static void search(const double *x, int n, double wanted) {
  for (int i = 0; i < n; i++)
    if (x[i] * x[i] > wanted) {
      Found found{i, x[i] * x[i], float(0.5f * x[i])};
      throw found;
    }
}

// Holds one exception while another comes and goes, and hands the first on.
static double nested(const double *x) {
  double sum = 0.0;
  try {
    try {
      throw Flat(x[0] * x[1], x[2]);
    } catch (Flat &outer) {
      try {
        throw Flat(x[3], outer.height * outer.weight);
      } catch (Flat inner) {
        sum += inner.height * inner.weight;
        inner.height = 0.0;
      }
      outer.weight += sum;
      throw;
    }
  } catch (Trouble &last) {
    sum += last.weight * last.weight;
  }
  return sum;
}

double f(const double *x, int n) {
  std::vector<double> v(x, x + n);
  double sum = 0.0;
  for (size_t i = 0; i < 6; i++)
    sum += mixed(v, i, 0.2 * i) * (1.0 + 0.1 * i);
  for (int i = 0; i < 7; i++)
    sum += choose(x[i % n], i);
  for (double wanted : {0.1, 1.0, 1.5, 9.0}) {
    try {
      search(x, n, wanted);
      sum += 0.1 * x[1];
    } catch (const Found &found) {
      sum += found.value * (found.at + 1) + 1e-3 * double(found.half);
    }
  }
  try {
    throw x[0] * x[2];
  } catch (double product) {
    sum += product * product;
  }
  return sum + nested(x);
}

} // namespace

REQUESTS(f)
