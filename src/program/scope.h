/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scope.h - the scopes of tests that the source declares: HEDDLE_WITHIN and HEDDLE_WITHOUT of
 * <heddle/test.h>.  Each is a text in a section of the program: "within TEST FUNCTION". */
#ifndef HD_PROGRAM_SCOPE_H
#define HD_PROGRAM_SCOPE_H

#include <stdbool.h>

struct hd_scope {
    bool within; /* false: without */
    char *function;
};

struct hd_scopes {
    struct hd_scope *list; /* in the order of the source */
    unsigned n;
};

/* Reads the scopes of the one test that the arguments choose, as <heddle/test.h> does.  There are none
 * if they choose several tests, or if the program has no such section. */
void hd_scope_read(struct hd_scopes *out, char *const *argv);
void hd_scope_free(struct hd_scopes *s);

#endif
