/* SPDX-License-Identifier: BSD-2-Clause
 *
 * launch.h - starting the target under Heddle and ending it for certain. */
#ifndef HD_CONDUCTOR_LAUNCH_H
#define HD_CONDUCTOR_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HD_OUTPUT_KEPT 16384 /* bytes of the target's own output that are kept */

struct hd_launch {
    const char *path;         /* of the program */
    char *const *argv;        /* argv[0] as the user typed it */
    const char *preload;      /* libraries to preload; NULL: none */
    const char *library_path; /* directory to search first; NULL: none */
    const char *test;         /* that libheddle-each.so is to run; NULL: it is not there */
    bool native;              /* without Heddle: real threads, addresses as they come */
    const char *noise;        /* for libheddle-noise.so; NULL: it is not there */
    int wire_fd;
    uint32_t worker;          /* whose wire it is to use */
    const char *undo;         /* its log of changed files (leftovers.h); NULL: none */
};

struct hd_target {
    pid_t pid;    /* the zygote, and its process group */
    double started; /* hd_seconds_now() just before */
    int pidfd;    /* readable when it has ended */
    int output;   /* its standard output and error; -1 after the end of both */
    char undo[256]; /* the log of the files that it changes, "" none ... */
    int undo_fd;    /* ... and open here; -1 */
    bool randomised; /* address randomisation could not be switched off */
    bool reaped;
    int status;   /* of waitpid, once reaped */
    char tail[HD_OUTPUT_KEPT]; /* the last of what came through output */
    size_t tail_used;
};

/* Of a clock that only goes forward. */
double hd_seconds_now(void);

/* Can address randomisation be switched off here?  Without that, an object has another
 * address in every target, and targets cannot share a table of objects. */
bool hd_can_fix_addresses(void);

/* False with errno set when the program could not be started at all; *what then
 * names the step that failed. */
bool hd_launch(const struct hd_launch *l, struct hd_target *t, const char **what);

/* This process becomes the target, with its output and whoever traces it.  Returns only
 * when that fails, with errno set and *what the step that failed. */
void hd_launch_here(const struct hd_launch *l, const char **what);

/* Take what the target has printed; never blocks. */
void hd_target_drain(struct hd_target *t);

/* Reap it if it has ended. */
bool hd_target_ended(struct hd_target *t);

/* End the target and everything in its process group, and give back what it
 * holds.  Harmless when it has ended already. */
void hd_target_kill(struct hd_target *t);

#endif
