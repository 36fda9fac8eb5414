// RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
// RUN: %clang -O0 -g %pass %include -I%S/../sources/Inputs %s %t.check.o -o %t %runtime && %t mixed 0.9 1.1 0.7 1.3 0.4 0.6
// RUN: %clang -O2 -g %pass %include -I%S/../sources/Inputs %s %t.check.o -o %t %runtime && %t mixed 0.9 1.1 0.7 1.3 0.4 0.6
// RUN: %clang -O3 -ffast-math -g %pass %include -I%S/../sources/Inputs %s %t.check.o -o %t %runtime && %t mixed 0.9 1.1 0.7 1.3 0.4 0.6
// A transformer whose weights lie in one block, to which a struct of pointers leads that is filled by a table of their addresses;
// sizes are copied into the struct beside them.
#include "source.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define NP 6
typedef struct { float *wte, *ln, *qkv, *proj, *fc, *out; } Params;
typedef struct { float *enc, *ln, *qkv, *att, *proj, *h, *logits, *probs; } Acts;
typedef struct { int C, T, V, H; size_t psz[NP], nparam; Params p; float *pm; Acts a; float *am; float *m, *v; int step; } Model;
static float *point(Params *p, const size_t *sz)
{
    size_t n = 0;
    for (int i = 0; i < NP; i++) n += sz[i];
    float *mem = malloc(n * sizeof(float)), *it = mem;
    float **ptrs[] = {&p->wte, &p->ln, &p->qkv, &p->proj, &p->fc, &p->out};
    for (int i = 0; i < NP; i++) { *ptrs[i] = it; it += sz[i]; }
    return mem;
}
static void matmul(float *out, const float *in, const float *w, int T, int C, int O)
{
    for (int t = 0; t < T; t++) for (int o = 0; o < O; o++) { float s = 0; for (int i = 0; i < C; i++) s += in[t * C + i] * w[o * C + i]; out[t * O + o] = s; }
}
static void layernorm(float *out, const float *in, const float *g, int T, int C)
{
    for (int t = 0; t < T; t++) {
        const float *x = in + t * C; float m = 0, v = 0;
        for (int i = 0; i < C; i++) m += x[i];
        m /= C;
        for (int i = 0; i < C; i++) { float d = x[i] - m; v += d * d; }
        float r = 1.0f / sqrtf(v / C + 1e-5f);
        for (int i = 0; i < C; i++) out[t * C + i] = g[i] * (x[i] - m) * r;
    }
}
static void attention(float *out, float *att, const float *qkv, int T, int C)
{
    for (int t = 0; t < T; t++) {
        float mx = -10000.0f;
        for (int u = 0; u <= t; u++) { float s = 0; for (int i = 0; i < C; i++) s += qkv[t * 3 * C + i] * qkv[u * 3 * C + C + i]; s /= sqrtf(C); att[t * T + u] = s; if (s > mx) mx = s; }
        float sum = 0;
        for (int u = 0; u <= t; u++) { att[t * T + u] = expf(att[t * T + u] - mx); sum += att[t * T + u]; }
        for (int i = 0; i < C; i++) out[t * C + i] = 0;
        for (int u = 0; u <= t; u++) { float a = att[t * T + u] / sum; for (int i = 0; i < C; i++) out[t * C + i] += a * qkv[u * 3 * C + 2 * C + i]; }
    }
}
static float gelu(float x) { return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))); }
static float forward(Model *m, const int *tok, const int *tgt)
{
    int T = m->T, C = m->C, V = m->V, H = m->H;
    Acts *a = &m->a; Params *p = &m->p;
    for (int t = 0; t < T; t++) for (int i = 0; i < C; i++) a->enc[t * C + i] = p->wte[tok[t] * C + i] + 0.1f * sinf(t * (i + 1));
    layernorm(a->ln, a->enc, p->ln, T, C);
    matmul(a->qkv, a->ln, p->qkv, T, C, 3 * C);
    attention(a->proj, a->att, a->qkv, T, C);
    matmul(a->ln, a->proj, p->proj, T, C, C);
    for (int i = 0; i < T * C; i++) a->enc[i] += a->ln[i];
    matmul(a->h, a->enc, p->fc, T, C, H);
    for (int i = 0; i < T * H; i++) a->h[i] = gelu(a->h[i]);
    matmul(a->logits, a->h, p->out, T, H, V);
    float loss = 0;
    for (int t = 0; t < T; t++) {
        float *l = a->logits + t * V, mx = l[0], s = 0;
        for (int i = 1; i < V; i++) mx = fmaxf(mx, l[i]);
        for (int i = 0; i < V; i++) { a->probs[t * V + i] = expf(l[i] - mx); s += a->probs[t * V + i]; }
        for (int i = 0; i < V; i++) a->probs[t * V + i] /= s;
        loss -= logf(a->probs[t * V + tgt[t]]);
    }
    return loss / T;
}
static double f(const double *x, int n)
{
    Model m = {.C = n - 2, .T = n - 1, .V = n, .H = n + 2};
    size_t sz[NP] = {m.V * m.C, m.C, 3 * m.C * m.C, m.C * m.C, m.H * m.C, m.V * m.H};
    memcpy(m.psz, sz, sizeof sz);
    m.pm = point(&m.p, m.psz);
    for (int i = 0; i < NP; i++) m.nparam += sz[i];
    for (size_t i = 0; i < m.nparam; i++) m.pm[i] = (float)(0.3 * x[i % n] * sin(1.7 * i));
    size_t as[8] = {m.T * m.C, m.T * m.C, m.T * 3 * m.C, m.T * m.T, m.T * m.C, m.T * m.H, m.T * m.V, m.T * m.V}, na = 0;
    for (int i = 0; i < 8; i++) na += as[i];
    m.am = calloc(na, sizeof(float));
    float *it = m.am, **ap = (float **)&m.a;
    for (int i = 0; i < 8; i++) { ap[i] = it; it += as[i]; }
    int tok[] = {0, 3, 1, 5, 2}, tgt[] = {3, 1, 5, 2, 4};
    double loss = 0;
    for (int s = 0; s < 3; s++) {
        loss += forward(&m, tok, tgt);
        for (int i = 0; i < m.V * m.C; i++) m.p.wte[i] -= 0.1f * m.a.probs[i % (m.T * m.V)];
    }
    free(m.pm); free(m.am);
    return loss;
}
REQUESTS(f)
