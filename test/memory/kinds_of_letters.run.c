/* A formula is read letter by letter while it is evaluated: what kind of letter one is the C library looks up in a table that it
 * finds by a pointer of its own. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include -I%S/../sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.9 1.1 0.7 1.3
// RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}

#include <ctype.h>

#include "source.h"

static const double *variables;

static double sum_of(const char **text);

static double factor_of(const char **text)
{
    while (isspace((unsigned char)**text))
        ++*text;
    if (**text == '(') {
        ++*text;
        double inner = sum_of(text);
        ++*text;
        return inner;
    }
    int number = 0;
    if (isdigit((unsigned char)**text)) {
        while (isdigit((unsigned char)**text))
            number = 10 * number + *(*text)++ - '0';
        return number;
    }
    int letter = tolower((unsigned char)*(*text)++);
    return isalpha(letter) ? variables[letter - 'a'] : 0;
}

static double product_of(const char **text)
{
    double product = factor_of(text);
    for (;;) {
        while (isspace((unsigned char)**text))
            ++*text;
        if (**text != '*' && **text != '/')
            return product;
        if (*(*text)++ == '*')
            product *= factor_of(text);
        else
            product /= factor_of(text);
    }
}

static double sum_of(const char **text)
{
    double sum = product_of(text);
    while (**text == '+') {
        ++*text;
        sum += product_of(text);
    }
    return sum;
}

static double f(const double *x, int n)
{
    double numbers[26];
    for (int i = 0; i < 26; i++)
        numbers[i] = x[i % n] * x[i % n];
    variables = numbers;
    const char *text = "(A + b * 25) / (c + 1) + d * (a + e * (B + 3))";
    return sum_of(&text);
}
REQUESTS(f)
