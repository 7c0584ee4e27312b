/* SPDX-License-Identifier: BSD-2-Clause
 *
 * native.h - one execution of a program on real threads, which nobody controls: how it ended
 * is all that is known of it. */
#ifndef HD_CONDUCTOR_NATIVE_H
#define HD_CONDUCTOR_NATIVE_H

#include "conductor/launch.h"

enum hd_native_end {
    HD_NATIVE_ENDED,   /* status is that of waitpid */
    HD_NATIVE_HUNG,    /* it was killed after the time for one execution */
    HD_NATIVE_STOPPED, /* by the user, or the time for all was over: nothing is known of it */
    HD_NATIVE_NOT_STARTED, /* errno says why, and what is the step that failed */
};

struct hd_native {
    enum hd_native_end end;
    int status;
    bool asleep;      /* hung: none of its threads did anything */
    const char *what;
    char output[HD_OUTPUT_KEPT + 1]; /* the end of what it printed */
};

/* Times are those of hd_seconds_now(); `signals` is readable when the user wants it to end. */
void hd_native_run(const struct hd_launch *l, double hangs_at, double stop_at, int signals,
                   struct hd_native *out);

#endif
