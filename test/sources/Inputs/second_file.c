/* The half of `two_files.run.c` without hooks. */
#include <math.h>

struct state {
    double position, velocity;
};

struct state advance(struct state s, double drag, double dt)
{
    s.velocity -= dt * (sin(s.position) + drag * s.velocity);
    s.position += dt * s.velocity;
    return s;
}

double measure(const struct state *path, int n)
{
    double sum = 0;
    for (int i = 1; i < n; i++)
        sum += hypot(path[i].position - path[i - 1].position, path[i].velocity);
    return sum;
}
