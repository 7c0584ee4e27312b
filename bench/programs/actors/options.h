/* SPDX-License-Identifier: BSD-2-Clause
 *
 * options.h - arguments of the form name=number, for the programs beside this file. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *name; /* with the equals sign */
    int *value;
    int least, most;
};

/* Ends the program if the argument is none of these. */
static inline void option_set(const struct option *options, size_t n, const char *argument)
{
    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(options[i].name);
        char *end;
        long value;

        if (strncmp(argument, options[i].name, length) != 0)
            continue;
        value = strtol(argument + length, &end, 10);
        if (end == argument + length || *end != 0 || value < options[i].least || value > options[i].most)
            break;
        *options[i].value = (int)value;
        return;
    }
    fprintf(stderr, "'%s': expected one of these and a number:", argument);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, " %s", options[i].name);
    fprintf(stderr, "; see main.c\n");
    exit(1);
}

#endif
