/* SPDX-License-Identifier: BSD-2-Clause
 *
 * races.h - data races of Linux: what the plugin has seen (plugin/linux_races.c), grouped, with the results of both
 * orders.
 *
 * A race is not a finding: kernels have many on purpose, and whether the source marks an access (READ_ONCE) cannot
 * be seen.  What helps to judge one is whether the order changes what the calls return. */
#ifndef HD_KERNEL_DRIVE_RACES_H
#define HD_KERNEL_DRIVE_RACES_H

#include <stdint.h>
#include <stdio.h>

#include "kernel/link/link.h"

struct hd_ksession;
struct hd_json;

enum hd_k_orders {
    HD_KO_UNTRIED,
    HD_KO_LOST,   /* the race does not occur if its execution runs alone, from the snapshot */
    HD_KO_SAME,   /* the calls return the same in both orders */
    HD_KO_DIFFER,
};

#define HD_K_RACE_GROUPS 64

/* Races that share an instruction, directly or through other races. */
struct hd_k_race_group {
    uint16_t race;     /* index of one of them in the link */
    uint16_t pairs;    /* number of races */
    uint32_t count;    /* how often one of them was seen */
    enum hd_k_orders orders;
    char difference[256]; /* for DIFFER: a call with its results in the one order and in the other */
};

struct hd_k_races {
    struct hd_k_race_group group[HD_K_RACE_GROUPS];
    unsigned ngroups;
    int16_t of[HD_K_RACES]; /* the group of each race in the link; -1: none */
    unsigned hidden; /* pairs in functions that synchronise */
};

/* Groups the races of the session, and runs both orders of one of each group. */
void hd_kraces_judge(struct hd_ksession *s);
void hd_kraces_print(const struct hd_ksession *s, FILE *out);
void hd_kraces_json(const struct hd_ksession *s, struct hd_json *j);

#endif
