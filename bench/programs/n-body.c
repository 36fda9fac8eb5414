/* Gravitation of bodies with softening, symplectic Euler steps, by their positions and velocities at the start. */
#include "../program.h"

#define BODIES 48
#define N (6 * BODIES)
#define STEPS 12
#define DT 0.01
#define SOFTENING 0.05

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = (i < N / 2 ? 1.0 : 0.1) * bench_number(i);
}

static double mass(int body) { return 1.0 / (1 + body % 3); }

static double primal(const double *restrict x, double *restrict work)
{
    double *r = work, *v = work + 3 * BODIES, sum = 0;
    for (int i = 0; i < N; i++)
        work[i] = x[i];
    for (int t = 0; t < STEPS; t++) {
        for (int a = 0; a < BODIES; a++) {
            double pull[3] = {0, 0, 0};
            for (int b = 0; b < BODIES; b++) {
                double d0 = r[3 * b] - r[3 * a], d1 = r[3 * b + 1] - r[3 * a + 1], d2 = r[3 * b + 2] - r[3 * a + 2];
                double s = d0 * d0 + d1 * d1 + d2 * d2 + SOFTENING;
                double strength = mass(b) / (s * sqrt(s));
                pull[0] += strength * d0;
                pull[1] += strength * d1;
                pull[2] += strength * d2;
            }
            for (int k = 0; k < 3; k++)
                v[3 * a + k] += DT * pull[k];
        }
        for (int i = 0; i < 3 * BODIES; i++)
            r[i] += DT * v[i];
    }
    for (int i = 0; i < N; i++)
        sum += 0.5 * work[i] * work[i];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    static double positions[STEPS][3 * BODIES];
    double *r = work, *v = work + 3 * BODIES, *dr = dwork, *dv = dwork + 3 * BODIES;
    memcpy(work, x, N * sizeof *work);
    for (int t = 0; t < STEPS; t++) {
        memcpy(positions[t], r, sizeof positions[t]);
        for (int a = 0; a < BODIES; a++) {
            double pull[3] = {0, 0, 0};
            for (int b = 0; b < BODIES; b++) {
                double d0 = r[3 * b] - r[3 * a], d1 = r[3 * b + 1] - r[3 * a + 1], d2 = r[3 * b + 2] - r[3 * a + 2];
                double s = d0 * d0 + d1 * d1 + d2 * d2 + SOFTENING;
                double strength = mass(b) / (s * sqrt(s));
                pull[0] += strength * d0;
                pull[1] += strength * d1;
                pull[2] += strength * d2;
            }
            for (int k = 0; k < 3; k++)
                v[3 * a + k] += DT * pull[k];
        }
        for (int i = 0; i < 3 * BODIES; i++)
            r[i] += DT * v[i];
    }
    memcpy(dwork, work, N * sizeof *dwork);
    for (int t = STEPS - 1; t >= 0; t--) {
        const double *p = positions[t];
        for (int i = 0; i < 3 * BODIES; i++)
            dv[i] += DT * dr[i];
        for (int a = 0; a < BODIES; a++) {
            double g0 = DT * dv[3 * a], g1 = DT * dv[3 * a + 1], g2 = DT * dv[3 * a + 2];
            for (int b = 0; b < BODIES; b++) {
                double d0 = p[3 * b] - p[3 * a], d1 = p[3 * b + 1] - p[3 * a + 1], d2 = p[3 * b + 2] - p[3 * a + 2];
                double s = d0 * d0 + d1 * d1 + d2 * d2 + SOFTENING;
                double strength = mass(b) / (s * sqrt(s));
                /* pull = m s^(-3/2) d; its derivative along d is m s^(-3/2) (g - 3 (g·d) d / s). */
                double along = 3 * (g0 * d0 + g1 * d1 + g2 * d2) / s;
                double q0 = strength * (g0 - along * d0), q1 = strength * (g1 - along * d1), q2 = strength * (g2 - along * d2);
                dr[3 * b] += q0;
                dr[3 * b + 1] += q1;
                dr[3 * b + 2] += q2;
                dr[3 * a] -= q0;
                dr[3 * a + 1] -= q1;
                dr[3 * a + 2] -= q2;
            }
        }
    }
    for (int i = 0; i < N; i++)
        dx[i] += dwork[i];
    memset(dwork, 0, N * sizeof *dwork);
}

BENCH_PROGRAM(n_body, N, N)
