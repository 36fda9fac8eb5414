/* What the test programs share: an assertion that says where it failed. */
#ifndef EXPECT_H
#define EXPECT_H
#include <stdio.h>
#include <stdlib.h>
#define EXPECT(condition)                                                                       \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);            \
            exit(1);                                                                            \
        }                                                                                       \
    } while (0)
#endif
