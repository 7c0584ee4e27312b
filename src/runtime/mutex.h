/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex.h - mutexes for the condition variables. */
#ifndef HD_RUNTIME_MUTEX_H
#define HD_RUNTIME_MUTEX_H

#include "runtime/rt.h"

/* The running thread holds o now; EOWNERDEAD when its last holder died. */
int hd_mutex_take(struct hd_obj *o, uint64_t pc);
/* It holds it no longer. */
void hd_mutex_drop(struct hd_obj *o);

#endif
