/* The two halves of the program that the driver builds: the generated module has the function under test behind three
 * calls without arguments, and the C file that includes this has `main`. */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum kind { KIND_SINGLE = 0, KIND_DOUBLE = 1, KIND_EXTENDED = 2 };

/* One float parameter: `count` numbers of its own type at the point, their derivatives, and a direction. */
struct input {
    void *point, *shadow, *direction;
    size_t count;
    size_t kind;
};

extern const struct input backsweep_driver_inputs[];
extern const size_t backsweep_driver_input_count;

/* The value at the point. */
double backsweep_driver_value(void);
/* Writes the gradient at the point into the shadows. */
void backsweep_driver_gradient(void);
/* The derivative at the point in the direction; only in a program of `backsweep check`. */
double backsweep_driver_tangent(void);

/* For the module, whose IR may declare the library's own with other attributes. */
void backsweep_driver_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
void backsweep_driver_clear(void *memory, size_t bytes) { memset(memory, 0, bytes); }

static double read_number(const struct input *input, const void *numbers, size_t i)
{
    switch (input->kind) {
    case KIND_SINGLE:
        return ((const float *)numbers)[i];
    case KIND_DOUBLE:
        return ((const double *)numbers)[i];
    default:
        return (double)((const long double *)numbers)[i];
    }
}

/* What the function prints more than once is nobody's answer. */
static void silence_output(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    fflush(stdout);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
}
