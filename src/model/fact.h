/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fact.h - what an execution did that partial-order reduction does not know of: the
 * table of kinds and the automata do not tell all on which it depends.  A reduced
 * search that has seen one of these makes no claim, and its verdict says which
 * (report/claim.c has the words); an unreduced one is not concerned. */
#ifndef HD_MODEL_FACT_H
#define HD_MODEL_FACT_H

enum hd_fact {
    HD_FACT_PLAIN_POLL = 1 << 0,   /* a polling loop went on because of a plain write */
    HD_FACT_BLIND_POLL = 1 << 1,   /* ... because of another thread's progress, whatever it was */
    HD_FACT_UNSEEN_WRITE = 1 << 2, /* ... because of a write that nobody has seen */
    HD_FACT_CANCEL = 1 << 3,       /* pthread_cancel */
    HD_FACT_TIMER = 1 << 4,        /* a timer has expired */
    HD_FACT_IO = 1 << 5,           /* input or output through what threads share */
    HD_FACT_CLOCK = 1 << 6,        /* what a clock shows depends on the order of threads */
    HD_FACT_LAST_THREAD = 1 << 7,  /* the process ended with the last thread, which was not main */
    HD_FACT_FUTEX = 1 << 8,        /* futex waiters are moved, or picked by a mask */
    HD_FACT_SIGNAL = 1 << 9,       /* signals are sent or waited for */
    HD_FACT_SURPLUS = 1 << 10,     /* more threads use a barrier than it has places: known too late */
    HD_FACT_OVERLAP = 1 << 11,     /* atomics at different addresses share bytes */
    HD_FACT_RANGE = 1 << 12,       /* a copy of many bytes was taken as one access */
    HD_FACT_SITES = 1 << 13,       /* more racing places than can be kept: some were no points */
    HD_FACT_FILTERED = 1 << 14,    /* there are races, and --within or --without left some accesses out */
    HD_FACT_INVARIANT = 1 << 24,   /* heddle_always reads what cannot be followed, or was known too late */
    HD_FACT_CHOICE = 1 << 25,      /* a choice inside an atomic section, or before what heddle_always reads changes */
    HD_FACT_CYCLE = 1 << 15,       /* threads went round in a circle: they had to go last, or it was the end */
    HD_FACT_LOOP = 1 << 27,        /* a thread that waits in a loop was stopped while others could run */
    HD_FACT_PRIVATE = 1 << 20,     /* what one thread used very often, another used as well */
    HD_FACT_STATE = 1 << 21,       /* something in libc is changed on which too much depends */
    HD_FACT_OUTPUT = 1 << 22,      /* the program looks at its own output, or locks it */
    HD_FACT_ALIAS = 1 << 23,       /* several threads map the same memory */
    /* These follow from the totals and the options, not from an execution. */
    HD_FACT_GRACE = 1 << 16,       /* threads were cut after exit */
    HD_FACT_IDLE = 1 << 17,        /* time-outs only when nothing else can run */
    HD_FACT_RACES = 1 << 19,       /* data races were not looked for */
    HD_FACT_SUPPRESSED = 1 << 26,  /* a data race is suppressed, and its accesses are no points */
    HD_FACT_MISLED = 1 << 18,      /* the search could not do all that it had planned */
};

#endif
