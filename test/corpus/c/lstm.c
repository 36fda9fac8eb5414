// One LSTM cell unrolled over a sequence, in single precision with a double result.
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HIDDEN = 4, STEPS = 6 };

typedef struct {
  float input[4][HIDDEN];
  float hidden[4][HIDDEN][HIDDEN];
  float bias[4][HIDDEN];
} Weights;

static float sigmoid(float z) { return 1.0f / (1.0f + expf(-z)); }

static void step(const Weights *w, float in, float *h, float *c) {
  float gate[4][HIDDEN], previous[HIDDEN];
  memcpy(previous, h, sizeof previous);
  for (int g = 0; g < 4; g++)
    for (int i = 0; i < HIDDEN; i++) {
      float z = w->bias[g][i] + w->input[g][i] * in;
      for (int j = 0; j < HIDDEN; j++)
        z += w->hidden[g][i][j] * previous[j];
      gate[g][i] = g == 3 ? tanhf(z) : sigmoid(z);
    }
  for (int i = 0; i < HIDDEN; i++) {
    c[i] = gate[1][i] * c[i] + gate[0][i] * gate[3][i];
    h[i] = gate[2][i] * tanhf(c[i]);
  }
}

double f(const double *x, int n) {
  Weights w;
  for (int g = 0; g < 4; g++)
    for (int i = 0; i < HIDDEN; i++) {
      w.input[g][i] = (float)x[(g + i) % n];
      w.bias[g][i] = 0.1f * g;
      for (int j = 0; j < HIDDEN; j++)
        w.hidden[g][i][j] = 0.2f * (float)x[(g * i + j) % n];
    }
  float h[HIDDEN] = {0}, c[HIDDEN];
  memset(c, 0, sizeof c);
  for (int t = 0; t < STEPS; t++)
    step(&w, 0.5f + 0.1f * t, h, c);
  double loss = 0.0;
  for (int i = 0; i < HIDDEN; i++)
    loss += (h[i] - 0.3) * (h[i] - 0.3);
  return loss;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.6g\n", f(x, 4));
}
