/* SPDX-License-Identifier: BSD-2-Clause
 *
 * player.h - what the player's waiting loops (player_loop.c) and its other operations (player.c) share. */
#ifndef ADVERSARY_PLAYER_H
#define ADVERSARY_PLAYER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "text.h"

extern atomic_int cell[TEXT_CELLS];
extern pthread_mutex_t mutex[TEXT_MUTEXES - 1];

/* Waits for the futex of a cell while it has the value (f, F), or wakes so many (v). */
int with_futex(char kind, int c, int value);

/* Is it one that wait_in_loop carries out?  How: the order of its loads. */
bool is_loop(char kind);
int wait_in_loop(const struct text_op *o, unsigned me, memory_order how);
/* Returns with both mutexes locked. */
void wait_for_both(const struct text_op *o);

#endif
