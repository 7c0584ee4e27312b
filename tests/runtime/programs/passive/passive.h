/* SPDX-License-Identifier: BSD-2-Clause
 *
 * passive.h - one call of each function that the runtime comes before.  Each CALL is run in a
 * process of its own by sweep.c, which prints its name and what it returns: nothing that differs
 * between two runs of the program, so that one built with Heddle and one without can be compared. */
#ifndef PASSIVE_H
#define PASSIVE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct call {
    const char *name;
    long (*fn)(void);
};

#define CALL(name, ...)                                                                       \
    static long call_##name(void) { __VA_ARGS__ }                                             \
    static const struct call entry_##name __attribute__((section("calls"), used, aligned(16))) = \
        { #name, call_##name };

/* A file with "hello\n" in it, open for reading and writing, and its name. */
int passive_file(void);
extern const char passive_name[];
/* The same as a stream. */
FILE *passive_stream(void);
extern char passive_buf[4096];
/* "/heddle-passive-" and the process id: a name that nothing else on the machine uses. */
const char *passive_ipc_name(void);

#endif
