/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen.h - functions that are not instrumented, as the tool hands them to the runtime and
 * hears of them again: where they are, and whether they have run beside other threads. */
#ifndef HD_MODEL_UNSEEN_H
#define HD_MODEL_UNSEEN_H

#include <stdint.h>

#define HD_MAX_UNSEEN_OBJECTS 128
#define HD_MAX_UNSEEN (1u << 17)
#define HD_MAX_RESUMES (1u << 18)
#define HD_MAX_LATE 16

/* A loaded object and its rows. */
struct hd_unseen_span {
    char path[256];
    uint32_t first, n;
};

struct hd_unseen_row {
    uint64_t addr; /* in the object's file */
    uint32_t size;
    uint32_t first_resume, nresumes;
    uint32_t orders; /* it has atomic instructions, or may have: it may order what others do */
    uint32_t ran;    /* the target: beside other threads */
};

struct hd_unseen_table {
    uint32_t nspans; /* 0: nobody asks */
    struct hd_unseen_span span[HD_MAX_UNSEEN_OBJECTS]; /* the first is the program */
    uint32_t nrows, nresumes;
    uint32_t may_order; /* the target: one of those that may order others ran beside other threads */
    struct hd_unseen_row row[HD_MAX_UNSEEN];    /* of each object by address */
    uint64_t resume[HD_MAX_RESUMES];            /* in the object's file */
};

#endif
