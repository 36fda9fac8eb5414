/* `backsweep check` as it runs: at each point reverse mode against forward mode and against central differences, all along
 * one random direction; where they part, the first input for which they do. Arguments: the report's name, how many
 * random points, where the random numbers begin, the least precise type that it takes and returns, that which
 * numbers are rounded to on the way where it is narrower (or `-`), and what is to be located at which point (`-` for nothing).
 * Lines are read by `check.rs`. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "locate.h"
#include "program.h"

/* How far results may differ, relative to the sum of what went into them. The first is about rounding alone. */
struct tolerance {
    double forward, differences, unsettled;
    /* How many steps are large enough to be more than rounding: from 1/8 on, each a quarter of the one before, relative
     * to the input. Below them differences are exactly zero, which looks settled. */
    int steps;
};
static const struct tolerance double_tolerance = {1e-9, 1e-7, 1e-3, 15};
static const struct tolerance single_tolerance = {1e-4, 1e-3, 5e-2, 5};
/* Of 16 bits; such numbers tell little more than that a derivative is there. */
static const struct tolerance half_tolerance = {3e-2, 1e-1, 3e-1, 3};

/* The extrapolated difference is trusted to so many times what it still changes with the step. */
#define SPREADS 20.0

/* How much of itself a difference may change from one step to the next and still be the same number. */
#define SETTLED 0.03

static size_t number_count;
static double *start, *base, *gradient, *direction;
static struct tolerance tolerance;
/* Where numbers are narrowed on the way: steps are large from the beginning, as the narrow type wants them. */
static int narrowed;
static struct tolerance narrow_tolerance;
static uint64_t random_state;

static double draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) * 0x1p-52 - 1.0;
}

static void write_number(const struct input *input, void *numbers, size_t i, double value)
{
    if (input->kind == KIND_SINGLE)
        ((float *)numbers)[i] = (float)value;
    else if (input->kind == KIND_DOUBLE)
        ((double *)numbers)[i] = value;
    else
        ((long double *)numbers)[i] = value;
}

typedef void *place_of(const struct input *input);
static void *point_of(const struct input *input) { return input->point; }
static void *shadow_of(const struct input *input) { return input->shadow; }
static void *direction_of(const struct input *input) { return input->direction; }

static void read_all(place_of *place, double *values)
{
    for (size_t k = 0; k < backsweep_driver_input_count; k++)
        for (size_t i = 0; i < backsweep_driver_inputs[k].count; i++)
            *values++ = read_number(&backsweep_driver_inputs[k], place(&backsweep_driver_inputs[k]), i);
}

static void write_all(place_of *place, const double *values)
{
    for (size_t k = 0; k < backsweep_driver_input_count; k++)
        for (size_t i = 0; i < backsweep_driver_inputs[k].count; i++)
            write_number(&backsweep_driver_inputs[k], place(&backsweep_driver_inputs[k]), i, *values++);
}

/* The direction for the inputs from `from` on and before `to`, zero for the others. */
static double along(size_t j, size_t from, size_t to) { return j >= from && j < to ? direction[j] : 0.0; }

static double reverse_along(size_t from, size_t to, double *scale)
{
    double sum = 0;
    *scale = 0;
    for (size_t j = from; j < to; j++) {
        sum += gradient[j] * direction[j];
        *scale += fabs(gradient[j] * direction[j]);
    }
    return sum;
}

static double forward_along(size_t from, size_t to)
{
    double *masked = malloc(number_count * sizeof *masked), result;
    for (size_t j = 0; j < number_count; j++)
        masked[j] = along(j, from, to);
    write_all(direction_of, masked);
    free(masked);
    result = backsweep_driver_tangent();
    return result;
}

static double value_at_step(double step, size_t from, size_t to)
{
    double *moved = malloc(number_count * sizeof *moved), result;
    for (size_t j = 0; j < number_count; j++)
        moved[j] = base[j] + step * along(j, from, to);
    write_all(point_of, moved);
    free(moved);
    result = backsweep_driver_value();
    write_all(point_of, base);
    return result;
}

/* The value at a step along something that `from` and `to` choose. */
typedef double stepped_value(double step, size_t from, size_t to);

/* An extrapolated difference, how much it changed from the step before, and that for its own size. */
struct estimate {
    double value, change, relative;
};

/* What central differences say: how much it still changes with the step, and by how much the slopes to the two sides differ where
 * the point is right on a kink. There every number between the slopes may be called a derivative, and they have the middle. */
struct difference {
    double value, spread, kink;
};

/* Of a smooth function this is a fourth of itself at the next step, and of a kink the same: three times, so that it is no chance. */
struct kink_search {
    double before, kink;
    int alike;
};

static void look_for_kink(struct kink_search *search, double bend)
{
    const double size = fabs(bend);
    search->alike = size > 0 && fabs(size - search->before) <= SETTLED * size ? search->alike + 1 : 0;
    if (search->alike == 3)
        search->kink = size;
    search->before = size;
}

/* Central differences over all steps, extrapolated once; the one that changes least from its neighbour. Of a chaotic function
 * large steps give small numbers, whose changes are small and settle nothing: such a change is large beside the number itself, and
 * more of the function's value than rounding. Then the one is taken that changes least for its size, if any settles. */
static struct difference difference_of(stepped_value *value_at_step, size_t from, size_t to)
{
    const double here = value_at_step(0, from, to);
    const double rounding = narrowed ? narrow_tolerance.forward : tolerance.forward;
    struct estimate least = {NAN, INFINITY, INFINITY}, steadiest = least;
    struct kink_search search = {NAN, 0, 0};
    double before = NAN, coarse = NAN, largest = 0, step_of_least = 0;
    for (int k = 0; k < tolerance.steps; k++) {
        const double step = ldexp(1.0, -3 - 2 * k);
        const double above = value_at_step(step, from, to), below = value_at_step(-step, from, to);
        const double fine = (above - below) / (2 * step);
        struct estimate now = {(16 * fine - coarse) / 15, 0, 0};
        now.change = fabs(now.value - before);
        now.relative = now.change == 0 ? 0 : now.change / fmax(fabs(now.value), fabs(before));
        largest = fmax(largest, fmax(fabs(above), fabs(below)));
        look_for_kink(&search, (above - here - (here - below)) / step);
        if (now.change < least.change)
            least = now, step_of_least = step;
        if (now.relative < steadiest.relative)
            steadiest = now;
        coarse = fine;
        before = now.value;
    }
    if (least.relative > SETTLED && least.change * step_of_least > rounding * largest) {
        least = steadiest;
        if (least.relative > SETTLED)
            least.change = INFINITY;
    }
    return (struct difference){least.value, least.change, search.kink};
}

/* How the two sides of a comparison came out. */
struct outcome {
    enum { AGREE, PART, UNSETTLED, AGREE_AS_NARROWED } verdict;
    double reverse, other, distance;
};

static struct outcome judge_forward_by(struct tolerance tolerance, double reverse, double forward, double scale)
{
    struct outcome outcome = {AGREE, reverse, forward, 0};
    scale += fabs(forward);
    outcome.distance = scale == 0 ? 0 : fabs(reverse - forward) / scale;
    /* Written so that a NaN parts too. */
    if (!(outcome.distance <= tolerance.forward))
        outcome.verdict = PART;
    return outcome;
}

static struct outcome judge_differences_by(struct tolerance tolerance, double reverse, struct difference found, double scale)
{
    struct outcome outcome = {AGREE, reverse, found.value, 0};
    scale += fabs(found.value);
    const double off = fabs(reverse - found.value), allowed = fmax(tolerance.differences, SPREADS * found.spread / scale);
    outcome.distance = scale == 0 ? 0 : off / scale;
    if (isfinite(reverse) && !(found.spread <= tolerance.unsettled * scale))
        outcome.verdict = UNSETTLED;
    else if (!(outcome.distance <= allowed) && scale != 0)
        outcome.verdict = found.kink > 0 && off <= found.kink / 2 + allowed * scale ? UNSETTLED : PART;
    return outcome;
}

/* What differs as doubles may be due to the narrowing; what differs as narrow numbers is not. */
static struct outcome choose(struct outcome strict, struct outcome loose)
{
    if (!narrowed || strict.verdict == AGREE)
        return strict;
    if (loose.verdict == AGREE)
        loose.verdict = AGREE_AS_NARROWED;
    return loose;
}

static struct outcome judge_forward(double reverse, double forward, double scale)
{
    return choose(judge_forward_by(tolerance, reverse, forward, scale),
                  judge_forward_by(narrow_tolerance, reverse, forward, scale));
}

static struct outcome judge_differences(double reverse, struct difference found, double scale)
{
    return choose(judge_differences_by(tolerance, reverse, found, scale),
                  judge_differences_by(narrow_tolerance, reverse, found, scale));
}

static struct outcome compare_forward(size_t from, size_t to)
{
    double scale;
    const double reverse = reverse_along(from, to, &scale);
    return judge_forward(reverse, forward_along(from, to), scale);
}

static struct outcome compare_differences(size_t from, size_t to)
{
    double scale;
    const double reverse = reverse_along(from, to, &scale);
    return judge_differences(reverse, difference_of(value_at_step, from, to), scale);
}

/* The first input, or the smallest range of them that bisection can blame, for which the two sides part. */
static size_t first_parting(struct outcome (*compare)(size_t, size_t), struct outcome *outcome)
{
    size_t from = 0, to = number_count;
    while (to - from > 1) {
        const size_t middle = from + (to - from) / 2;
        const struct outcome left = compare(from, middle);
        if (left.verdict == PART) {
            to = middle;
            *outcome = left;
            continue;
        }
        *outcome = compare(middle, to);
        if (outcome->verdict != PART)
            break;
        from = middle;
    }
    /* Per unit of the input, as the user knows it. */
    outcome->reverse /= direction[from];
    outcome->other /= direction[from];
    return from;
}

static void report_comparison(FILE *report, const char *name, struct outcome (*compare)(size_t, size_t))
{
    static const char *const verdicts[] = {"agree", "part", "unsettled", "narrowed"};
    struct outcome outcome = compare(0, number_count);
    size_t input = 0;
    const int verdict = outcome.verdict;
    if (verdict == PART)
        input = first_parting(compare, &outcome);
    fprintf(report, "%s %s %zu %.17g %.17g %.3g\n", name, verdicts[verdict], input, outcome.reverse, outcome.other,
            outcome.distance);
}

/* Forward mode or differences, from what the probes add. `to` is how many events there are. */
static double forward_from_event(size_t from, size_t to)
{
    event_first = (int64_t)from;
    event_now = 0;
    const double found = forward_along(0, 0);
    astray |= event_now != (int64_t)to;
    event_first = MOST_EVENTS;
    return found;
}

static double value_from_event(double step, size_t from, size_t to)
{
    (void)to;
    event_first = (int64_t)from;
    event_step = step;
    event_now = 0;
    const double value = backsweep_driver_value();
    event_step = 0;
    event_first = MOST_EVENTS;
    return value;
}

static int parts_from_event(int differences, int64_t first, int64_t count)
{
    double scale;
    const double reverse = reverse_of_events(first, count, &scale);
    if (differences)
        return judge_differences(reverse, difference_of(value_from_event, (size_t)first, (size_t)count), scale).verdict == PART;
    return judge_forward(reverse, forward_from_event((size_t)first, (size_t)count), scale).verdict == PART;
}

/* The values of all events along the direction, at a step: half of a difference. */
static void add_changes(int number, double step, int64_t count)
{
    change_step = number;
    for (int side = 1; side >= -1; side -= 2) {
        change_weight = side / (2 * step);
        event_now = 0;
        value_at_step(side * step, 0, number_count);
        astray |= event_now != count;
    }
    change_weight = 0;
}

/* Where differences part from both modes, somebody has declared that nothing goes through here: the first event whose number
 * moves with the inputs, has no tangent of that size, and matters to the value. -1 where there is none. */
static int64_t first_lost(int64_t count)
{
    const double step = tolerance.steps > 10 ? 0x1p-11 : 0x1p-5;
    event_now = 0;
    forward_along(0, number_count);
    add_changes(0, step, count);
    add_changes(1, step / 2, count);
    for (int64_t event = 0; event < count && !astray; event++) {
        const struct event *const found = &events[event];
        const double change = (4 * found->change[1] - found->change[0]) / 3;
        const double off = fabs(change - found->tangent), spread = fabs(found->change[1] - found->change[0]);
        if (!(off > 1e-3 * fabs(change) && off > 1e-6 * found->size && off > SPREADS * spread))
            continue;
        event_end = event + 1;
        const int matters = parts_from_event(1, event, event + 1);
        event_end = MOST_EVENTS;
        if (matters)
            return event;
    }
    return -1;
}

/* The last event from which on the two sides part, and the first call with pointers behind it. */
static void locate(FILE *report, int differences)
{
    const struct outcome whole = differences ? compare_differences(0, number_count) : compare_forward(0, number_count);
    events = calloc((size_t)MOST_EVENTS, sizeof *events);
    if (whole.verdict != PART || events == NULL) {
        fprintf(report, "unlocated gone\n");
        return;
    }
    learning = 1;
    event_now = 0;
    backsweep_driver_value();
    learning = 0;
    const int64_t count = event_now;
    if (count > MOST_EVENTS) {
        fprintf(report, "unlocated many\n");
        return;
    }
    event_now = 0;
    backsweep_driver_gradient();
    astray |= event_now != count;
    int64_t parting = differences ? first_lost(count) : -1, agreeing = count;
    if (parting < 0 && count > 0 && parts_from_event(differences, 0, count)) {
        parting = 0;
        while (agreeing - parting > 1) {
            const int64_t middle = parting + (agreeing - parting) / 2;
            if (parts_from_event(differences, middle, count))
                parting = middle;
            else
                agreeing = middle;
        }
    }
    int64_t call = parting + 1;
    while (call < count && !(events[call].site & POINTER_CALL))
        call++;
    if (astray && !differences)
        fprintf(report, "unlocated astray\n");
    else
        fprintf(report, "located %d %d\n", parting < 0 ? -1 : events[parting].site & ~POINTER_CALL,
                call < count ? events[call].site & ~POINTER_CALL : -1);
}

/* What is done at each point. */
enum task { COMPARE, PASS_BY, LOCATE_FORWARD, LOCATE_DIFFERENCES };

static void check_point(FILE *report, enum task task)
{
    double value, again;
    write_all(point_of, base);
    /* What is written is rounded to the input's type. */
    read_all(point_of, base);
    value = backsweep_driver_value();
    again = backsweep_driver_value();
    if (!isfinite(value)) {
        if (task == COMPARE)
            fprintf(report, "outside %.17g\n", value);
        return;
    }
    if (value != again) {
        if (task == COMPARE)
            fprintf(report, "changing %.17g %.17g\n", value, again);
        return;
    }
    backsweep_driver_gradient();
    read_all(shadow_of, gradient);
    for (size_t j = 0; j < number_count; j++) {
        const double r = draw(), size = base[j] == 0 ? 1.0 : fabs(base[j]);
        direction[j] = (r < 0 ? r - 1 : r + 1) / 2 * size;
    }
    if (task == PASS_BY)
        return;
    if (task != COMPARE) {
        locate(report, task == LOCATE_DIFFERENCES);
        return;
    }
    fprintf(report, "value %.17g\n", value);
    report_comparison(report, "forward", compare_forward);
    report_comparison(report, "differences", compare_differences);
    /* For the complex step, which is another program. */
    double scale;
    fprintf(report, "along %.17g", reverse_along(0, number_count, &scale));
    fprintf(report, " %.17g", scale);
    for (size_t j = 0; j < number_count; j++)
        fprintf(report, " %a %a", base[j], direction[j]);
    fprintf(report, "\n");
}

static struct tolerance tolerance_of(const char *type)
{
    return strcmp(type, "double") == 0 ? double_tolerance : strcmp(type, "single") == 0 ? single_tolerance : half_tolerance;
}

int main(int count, char **arguments)
{
    FILE *report = count == 8 ? fopen(arguments[1], "w") : NULL;
    if (report == NULL) {
        perror("the report");
        return 1;
    }
    const long random_points = atol(arguments[2]);
    /* Which comparison is to be followed to a line, at which point; `-` for none. */
    const char *const located = arguments[6];
    const long located_point = atol(arguments[7]);
    random_state = (strtoull(arguments[3], NULL, 10) + 1) * 0x9e3779b97f4a7c15u;
    tolerance = tolerance_of(arguments[4]);
    narrowed = *arguments[5] != '-';
    if (narrowed) {
        narrow_tolerance = tolerance_of(arguments[5]);
        tolerance.steps = narrow_tolerance.steps;
    }
    for (size_t k = 0; k < backsweep_driver_input_count; k++)
        number_count += backsweep_driver_inputs[k].count;
    start = calloc(4 * number_count + 1, sizeof *start);
    base = start + number_count;
    gradient = base + number_count;
    direction = gradient + number_count;
    read_all(point_of, start);
    silence_output();
    for (long point = 0; point < (random_points > 0 ? random_points : 1); point++) {
        for (size_t j = 0; j < number_count; j++)
            base[j] = start[j] + (random_points > 0 ? draw() * fmax(1.0, fabs(start[j])) : 0.0);
        const int wanted = *located != '-' && point == located_point;
        check_point(report, *located == '-' ? COMPARE
                            : !wanted       ? PASS_BY
                            : strcmp(located, "forward") == 0 ? LOCATE_FORWARD : LOCATE_DIFFERENCES);
        if (wanted)
            break;
    }
    free(start);
    return fclose(report) != 0;
}
