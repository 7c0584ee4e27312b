/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await_places.h - the places of waiting loops (await.h, A3): found in one pass of the search, they
 * apply from the next one on, in all workers. */
#ifndef HD_RUNTIME_PROGRESS_AWAIT_PLACES_H
#define HD_RUNTIME_PROGRESS_AWAIT_PLACES_H

#include "model/event.h"

/* Places found in later passes are not used: restart.c allows 16 passes. */
#define HD_AWAIT_LATEST_PASS 12u

/* True if an operation of that kind on that many bytes may belong to a waiting loop. */
bool hd_may_await(enum hd_kind kind, unsigned size);
/* Looks up the places that apply to this execution. */
void hd_await_find_places(void);
bool hd_await_is_place(uint64_t pc);
/* Call when the operation at pc has turned out to belong to a waiting loop. */
void hd_await_found(uint64_t pc);

#endif
