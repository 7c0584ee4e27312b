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

/* Does it run, or is it ready to?  Else it waits for something, or is not there. */
bool hd_is_runnable(int32_t pid);

/* How long the target of that wire, and this process, have waited for a processor, of so
 * many milliseconds: at most nine tenths of them, so that every limit comes. */
double hd_use_waited(const struct hd_wire *w, double elapsed_ms);

#endif
