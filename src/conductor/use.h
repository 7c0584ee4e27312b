/* SPDX-License-Identifier: BSD-2-Clause
 *
 * use.h - how much of the processors a process had, so that a busy machine is not taken for
 * a slow target. */
#ifndef HD_CONDUCTOR_USE_H
#define HD_CONDUCTOR_USE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* Seconds in which a process ran, and in which it was ready to and had no processor. */
struct hd_use {
    double ran, waited;
};

/* 0 where the kernel does not tell. */
struct hd_use hd_processor_use(int32_t pid);

/* It is ready to run, and has not had a processor for so many seconds since it had run so long.  (The
 * kernel adds up a wait for a processor when that is over: one that lasts is not told.) */
bool hd_use_lacks(int32_t pid, double ran, double seconds);

/* How long the target of that wire, and this process, have waited for a processor, of so
 * many milliseconds: at most nine tenths of them, so that every limit comes. */
double hd_use_waited(const struct hd_wire *w, double elapsed_ms);

#endif
