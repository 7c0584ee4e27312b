/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.h - faults that --faults injects: each is a choice of the search. */
#ifndef HD_MODEL_FAULT_H
#define HD_MODEL_FAULT_H

/* In the order of hd_fault_words. */
enum hd_fault {
    HD_FAULT_MALLOC = 1 << 0,  /* an allocation of the program's own code fails */
    HD_FAULT_WAKEUP = 1 << 1,  /* a condition wait ends spuriously */
    HD_FAULT_TRYLOCK = 1 << 2, /* a try-lock fails although it could succeed */
    HD_FAULT_EINTR = 1 << 3,   /* a blocking call ends with EINTR */
    HD_FAULT_CAS = 1 << 4,     /* a weak compare-exchange fails although the value is as expected */
};

#define HD_FAULTS 5
#define HD_MAX_FAULT_BOUND 32

/* Spelling on the command line and in schedules; NULL after the last. */
extern const char *const hd_fault_words[HD_FAULTS + 1];

#endif
