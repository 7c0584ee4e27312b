/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unseen.h - functions that are not instrumented.  The tool tells the runtime where they are, and the runtime
 * records whether they ran concurrently with other threads. */
#ifndef HD_MODEL_UNSEEN_H
#define HD_MODEL_UNSEEN_H

#include <stdint.h>

#define HD_MAX_UNSEEN_OBJECTS 128
#define HD_MAX_UNSEEN (1u << 17)
#define HD_MAX_RESUMES (1u << 18)
#define HD_MAX_LATE 16

/* A loaded object, and its rows of the table. */
struct hd_unseen_span {
    char path[256];
    uint32_t first, n;
};

struct hd_unseen_row {
    uint64_t addr; /* address in the object file */
    uint32_t size;
    uint32_t first_resume, nresumes;
    uint32_t orders; /* it has, or may have, atomic instructions, so it may order operations of other threads */
    uint32_t ran;    /* set by the target: it ran concurrently with other threads */
};

struct hd_unseen_table {
    uint32_t nspans; /* 0: not requested */
    struct hd_unseen_span span[HD_MAX_UNSEEN_OBJECTS]; /* the first is the program */
    uint32_t nrows, nresumes;
    uint32_t may_order; /* set by the target: a function with `orders` ran concurrently with other threads */
    struct hd_unseen_row row[HD_MAX_UNSEEN];    /* sorted by address within each object */
    uint64_t resume[HD_MAX_RESUMES];            /* address in the object file */
};

#endif
