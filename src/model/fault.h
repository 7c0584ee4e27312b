/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.h - faults that --faults injects: each is a choice of the search. */
#ifndef HD_MODEL_FAULT_H
#define HD_MODEL_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "model/settings.h"

/* In the order of hd_fault_words. */
enum hd_fault {
    HD_FAULT_MALLOC = 1 << 0,  /* an allocation of the program's own code fails */
    HD_FAULT_WAKEUP = 1 << 1,  /* a condition wait ends spuriously */
    HD_FAULT_TRYLOCK = 1 << 2, /* a try-lock fails although it could succeed */
    HD_FAULT_EINTR = 1 << 3,   /* a blocking call ends with EINTR */
    HD_FAULT_CAS = 1 << 4,     /* a weak compare-exchange fails although the value is as expected */
    /* For programs that use <heddle/mail.h>, in the order of its enum heddle_fault: */
    HD_FAULT_CRASH = 1 << 5,     /* a node stops where it is, and starts again */
    HD_FAULT_DROP = 1 << 6,      /* a message between nodes is lost */
    HD_FAULT_DUPLICATE = 1 << 7, /* a message between nodes arrives twice */
    HD_FAULT_DELAY = 1 << 8,     /* a message between nodes arrives late, perhaps after later ones */
    HD_FAULT_PARTITION = 1 << 9, /* a node is cut off from the others for a while */
    HD_FAULT_TIMER = 1 << 10,    /* a timer may expire; if this fault is not selected, every timer does */
};

#define HD_FAULTS 11
#define HD_MAX_FAULT_BOUND 32
#define HD_MAX_FAULT_BUDGET 9

/* Names on the command line and in schedules; NULL after the last one. */
extern const char *const hd_fault_words[HD_FAULTS + 1];

/* Each fault may have a budget of its own: how often it can happen in an execution.  Faults without one (0)
 * share the fault bound. */
uint32_t hd_fault_budget(const struct hd_settings *s, unsigned fault);
void hd_fault_set_budget(struct hd_settings *s, unsigned fault, uint32_t budget);
/* Writes the name of the fault, with its budget if it has one: "crash=1". */
void hd_fault_text_of(const struct hd_settings *s, unsigned fault, char *buf, size_t cap);

#endif
