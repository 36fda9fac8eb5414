// Leapfrog integration of softened gravity; structs of three coordinates, symmetric updates.
#include <math.h>
#include <stdio.h>

enum { BODIES = 5 };

typedef struct {
  double at[3], speed[3], mass;
} Body;

static void kick(Body *all, double dt) {
  for (int i = 0; i < BODIES; i++)
    for (int j = i + 1; j < BODIES; j++) {
      double d[3], r2 = 0.05;
      for (int k = 0; k < 3; k++) {
        d[k] = all[j].at[k] - all[i].at[k];
        r2 += d[k] * d[k];
      }
      double force = dt / (r2 * sqrt(r2));
      for (int k = 0; k < 3; k++) {
        all[i].speed[k] += force * all[j].mass * d[k];
        all[j].speed[k] -= force * all[i].mass * d[k];
      }
    }
}

static double energy(const Body *all) {
  double sum = 0.0;
  for (const Body *b = all; b != all + BODIES; b++)
    sum += 0.5 * b->mass * (b->speed[0] * b->speed[0] + b->speed[1] * b->speed[1] + b->speed[2] * b->speed[2]);
  return sum;
}

double f(const double *x, int n) {
  Body all[BODIES];
  for (int i = 0; i < BODIES; i++) {
    all[i] = (Body){.mass = 1.0 + 0.1 * i};
    for (int k = 0; k < 3; k++)
      all[i].at[k] = x[(i + k) % n] * (i + 1) + k * i;
  }
  for (int t = 0; t < 8; t++) {
    kick(all, 0.05);
    for (int i = 0; i < BODIES; i++)
      for (int k = 0; k < 3; k++)
        all[i].at[k] += 0.05 * all[i].speed[k];
  }
  return energy(all);
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
