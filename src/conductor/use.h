/* SPDX-License-Identifier: BSD-2-Clause
 *
 * use.h - processor time of a process, so that a busy machine is not mistaken for a slow
 * target. */
#ifndef HD_CONDUCTOR_USE_H
#define HD_CONDUCTOR_USE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* Seconds in which a process ran, and in which it was runnable without a processor. */
struct hd_use {
    double ran, waited;
};

/* Zeros if the kernel does not provide them. */
struct hd_use hd_processor_use(int32_t pid);

/* True if the process is runnable but has got less than `seconds` of processor time since its time
 * was `ran`.  (The kernel accounts a wait for a processor only when it ends, so a current wait is
 * not in `waited`.) */
bool hd_use_is_starved(int32_t pid, double ran, double seconds);

/* True if the process has ended and its parent has not noticed yet. */
bool hd_use_has_ended(int32_t pid);

/* Seconds within `elapsed_ms` during which the target of that wire and this process waited
 * for a processor: at most nine tenths, so that every limit is reached eventually. */
double hd_use_wait_time(const struct hd_wire *w, double elapsed_ms);

#endif
