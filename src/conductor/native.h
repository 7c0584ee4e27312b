/* SPDX-License-Identifier: BSD-2-Clause
 *
 * native.h - one execution of a program on real threads, without control: only its end is
 * known. */
#ifndef HD_CONDUCTOR_NATIVE_H
#define HD_CONDUCTOR_NATIVE_H

#include "conductor/launch.h"

enum hd_native_end {
    HD_NATIVE_ENDED,   /* status is that of waitpid */
    HD_NATIVE_HUNG,    /* killed after the time for one execution */
    HD_NATIVE_STOPPED, /* stopped by the user or by the total time limit: no result */
    HD_NATIVE_NOT_STARTED, /* errno and `what` give the reason and the failed step */
};

struct hd_native {
    enum hd_native_end end;
    int status;
    bool asleep;      /* HD_NATIVE_HUNG: no thread was running */
    const char *what;
    char output[HD_OUTPUT_KEPT + 1]; /* the last part of its output */
};

/* Times are those of hd_seconds_now(); `signals` becomes readable when the user wants to
 * stop. */
void hd_native_run(const struct hd_launch *l, double hangs_at, double stop_at, int signals,
                   struct hd_native *out);

#endif
