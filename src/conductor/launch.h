/* SPDX-License-Identifier: BSD-2-Clause
 *
 * launch.h - starts the target under Heddle and ends it reliably. */
#ifndef HD_CONDUCTOR_LAUNCH_H
#define HD_CONDUCTOR_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HD_OUTPUT_KEPT 16384 /* number of bytes kept of the output that bypasses the runtime */

struct hd_launch {
    const char *path;         /* path of the program */
    char *const *argv;        /* argv[0] as the user typed it */
    char *const *environment; /* inherited; NULL: that of this process */
    const char *preload;      /* libraries to preload; NULL: none */
    const char *library_path; /* directory to search first; NULL: none */
    const char *test;         /* test that libheddle-each.so is to run; NULL: library not loaded */
    bool native;              /* without Heddle: real threads, randomised addresses */
    const char *noise;        /* settings of libheddle-noise.so; NULL: library not loaded */
    int wire_fd;
    uint32_t worker;          /* number of its wire */
    const char *undo;         /* log of changed files (leftovers.h); NULL: none */
};

struct hd_target {
    pid_t pid;    /* the zygote, and its process group */
    double started; /* hd_seconds_now() just before the start */
    int pidfd;    /* readable when it has ended */
    int output;   /* its standard output and error; -1 after the end of both */
    char undo[256]; /* log of the files that it changes; "": none */
    int undo_fd;    /* descriptor of that log; -1: none */
    bool randomised; /* address randomisation is on, because it could not be switched off */
    bool reaped;
    int status;   /* status from waitpid, once the target is reaped */
    char tail[HD_OUTPUT_KEPT]; /* last part of the data read from output */
    size_t tail_used;
};

/* Seconds on the monotonic clock. */
double hd_seconds_now(void);

/* Returns true if address randomisation can be switched off on this machine.  Otherwise objects have different
 * addresses in every target, and targets cannot share a table of objects. */
bool hd_can_fix_addresses(void);

/* False, with errno set, if the program could not be started; *what then names the failed
 * step. */
bool hd_launch(const struct hd_launch *l, struct hd_target *t, const char **what);

/* Makes this process the target, which keeps its output and its tracer.  Returns only on failure,
 * with errno set and *what naming the failed step. */
void hd_launch_here(const struct hd_launch *l, const char **what);

/* Read the target's output; never blocks. */
void hd_target_drain(struct hd_target *t);

/* Returns true if the target has ended, and reaps it. */
bool hd_target_ended(struct hd_target *t);

/* End the target and everything in its process group, and free its resources.  Harmless if
 * it has already ended. */
void hd_target_kill(struct hd_target *t);

#endif
