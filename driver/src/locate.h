/* Where two derivatives part: every use of a number in the program has a probe (`probes.rs`), which gives back what it is
 * given. An event is one run of one probe. Reverse mode tells the adjoint at every event. From a chosen event on, the probes add
 * a small part of their own to what goes through them, to tangents in forward mode and to values for differences; what
 * comes out is then known from the adjoints of those events. Where it is another number from an event on, and the same from the
 * next event on, the two part where that event's number is used. */
#include <stdlib.h>

/* More events than these are not remembered. */
#define MOST_EVENTS ((int64_t)1 << 22)
#define POINTER_CALL (1 << 30)

struct event {
    double adjoint, size;
    /* Along the direction of the comparison: what forward mode says, and central differences with two steps. */
    double tangent, change[2];
    int site;
};
static struct event *events;
/* How many have run in this run of the program, and which of them add something. */
static int64_t event_now, event_first = MOST_EVENTS, event_end = MOST_EVENTS;
/* What they add to values, times their part. */
static double event_step;
/* Whether this run learns sites and sizes, and whether some run went another way than that one. */
static int learning, astray;
/* What this run adds to the changes with one of the steps: the value, times this. */
static double change_weight;
static int change_step;

static double part_of(int64_t event)
{
    uint64_t random = ((uint64_t)event + 1) * 0x9e3779b97f4a7c15u;
    random ^= random >> 29;
    random *= 0xbf58476d1ce4e5b9u;
    random ^= random >> 32;
    const double part = 0.5 + (double)(random >> 12) * 0x1p-53;
    return (random & 1 ? part : -part) * events[event].size;
}

static int64_t count_event(int site, double value)
{
    const int64_t event = event_now++;
    if (event >= MOST_EVENTS || events == NULL)
        return event;
    if (learning) {
        events[event].site = site;
        events[event].size = value == 0 ? 1.0 : fabs(value);
    } else if (events[event].site != site) {
        astray = 1;
    }
    if (change_weight != 0)
        events[event].change[change_step] += change_weight * value;
    return event;
}

static int adds(int64_t event) { return event >= event_first && event < event_end && events != NULL; }

void backsweep_driver_tick(int site) { count_event(site, 0); }

double backsweep_driver_probe(double x, int site)
{
    const int64_t event = count_event(site, x);
    return adds(event) && event_step != 0 ? x + event_step * part_of(event) : x;
}

struct probe_kept {
    int64_t event;
    double x;
};
struct probe_kept backsweep_driver_probe_kept(double x, int site)
{
    return (struct probe_kept){count_event(site, x), x};
}

double backsweep_driver_probe_back(double x, int site, double d, int64_t event)
{
    (void)x, (void)site;
    if (event < MOST_EVENTS && events != NULL)
        events[event].adjoint += d;
    return d;
}

struct probe_along {
    double x, dx;
};
struct probe_along backsweep_driver_probe_along(double x, double dx, int site)
{
    const int64_t event = count_event(site, x);
    if (event < MOST_EVENTS && events != NULL && event_first == MOST_EVENTS)
        events[event].tangent = dx;
    return (struct probe_along){x, adds(event) ? dx + part_of(event) : dx};
}

/* What the adjoints say comes of the events from one on. */
static double reverse_of_events(int64_t first, int64_t count, double *scale)
{
    double sum = 0;
    *scale = 0;
    for (int64_t event = first; event < count; event++) {
        const double part = events[event].adjoint * part_of(event);
        sum += part;
        *scale += fabs(part);
    }
    return sum;
}
