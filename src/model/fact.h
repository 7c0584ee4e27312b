/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fact.h - effects in an execution that partial-order reduction does not model, because they depend on
 * something that the table of kinds and the automata do not describe.  A reduced search in which one of them
 * occurred makes no claim, and its verdict names the effect (report/verdict/claim.c has the texts).  A search
 * without reduction is not affected. */
#ifndef HD_MODEL_FACT_H
#define HD_MODEL_FACT_H

#include <stdint.h>

/* name, bit */
#define HD_FACTS(X) \
    X(PLAIN_POLL, 0)        /* a polling loop continued because of a plain write */ \
    X(BLIND_POLL, 1)        /* a polling loop continued because another thread made progress of any kind */ \
    X(UNSEEN_WRITE, 2)      /* a polling loop continued because of a write that was not announced */ \
    X(CANCEL, 3)            /* pthread_cancel */ \
    X(TIMER, 4)             /* a timer has expired */ \
    X(IO, 5)                /* input or output through a channel that threads share */ \
    X(CLOCK, 6)             /* the value of a clock depends on the order of threads */ \
    X(LAST_THREAD, 7)       /* the process ended with the last thread, which was not main */ \
    X(FUTEX, 8)             /* futex waiters are requeued, or selected by a mask */ \
    X(SIGNAL, 9)            /* signals are sent or waited for */ \
    X(SURPLUS, 10)          /* more threads use a barrier than it has places, and that was noticed too late */ \
    X(OVERLAP, 11)          /* atomics at different addresses share bytes */ \
    X(RANGE, 12)            /* a copy of many bytes was recorded as one access */ \
    X(SITES, 13)            /* more racing sites than can be stored: some were not scheduling points */ \
    X(FILTERED, 14)         /* there are data races, and --within or --without excluded some accesses */ \
    X(INVARIANT, 24)        /* heddle_always reads memory that cannot be tracked, or that was found too late */ \
    X(CHOICE, 25)           /* a choice inside an atomic section, or before a change of memory that
                             * heddle_always reads */ \
    X(CYCLE, 15)            /* threads repeated a state, so they had to run after the others, or the execution
                             * ended */ \
    X(LOOP, 27)             /* a thread that waits in a loop was stopped while others could run */ \
    X(PRIVATE, 20)          /* an object that one thread had used very often was used by another thread, too */ \
    X(STATE, 21)            /* a part of libc's state was changed on which too many operations depend */ \
    X(OUTPUT, 22)           /* the program reads its own output, or locks it */ \
    X(ALIAS, 23)            /* several threads map the same memory */ \
    X(MAPPED, 29)           /* calls use a mapped file, or memory is unmapped or protected, while other threads
                             * exist */ \
    X(CALL_ACCESS, 28)      /* plain accesses are scheduling points, but a call such as read accessed memory
                             * that threads may share without a point of its own */ \
    /* These follow from the totals and the options, not from an execution. */ \
    X(GRACE, 16)            /* threads were cut after exit */ \
    X(IDLE, 17)             /* time-outs occur only when nothing else can run */ \
    X(RACES, 19)            /* the search did not look for data races */ \
    X(RETRY_SETS, 30)       /* search/por/retry_sets.h */ \
    X(SUPPRESSED, 26)       /* a data race is suppressed, and its accesses are not scheduling points */ \
    X(MISLED, 18)           /* the search could not take some step that it had planned */

enum hd_fact {
#define HD_FACT_NAME(name, bit) HD_FACT_##name = 1 << (bit),
    HD_FACTS(HD_FACT_NAME)
#undef HD_FACT_NAME
};

/* Behaviour that C11 allows for an operation of the program and that no execution has tried: name, bit, text.
 * A claim then covers less than C11 allows. */
#define HD_UNTRIED(X) \
    X(WEAK_CAS, 0, "a weak compare-exchange that fails for no reason (--faults=weak-cas)") \
    X(WAKEUP, 1, "a wait on a condition that ends for no reason (--faults=spurious-wakeup)") \
    X(TRYLOCK, 2, "an attempt at a free lock that fails (--faults=trylock)") \
    X(HANDLER, 3, "a signal handler between any two instructions") \
    X(TX_STATUS, 4, "a transaction that is aborted with another status than retry (--tm-aborts all)") \
    X(TX_SPURIOUS, 5, "a transaction that is aborted for no reason (--tm htm)") \
    X(TX_ABORTED, 6, "a transaction that is aborted by a conflict with one that is aborted itself") \
    X(TX_NESTED, 7, "a conflict while a nested transaction ran that begins only before the other thread's step") \
    X(TX_NO_RETRY, 8, "a conflict whose status has no retry bit (--tm-aborts all)")

enum hd_untried {
#define HD_UNTRIED_NAME(name, bit, words) HD_UNTRIED_##name = 1 << (bit),
    HD_UNTRIED(HD_UNTRIED_NAME)
#undef HD_UNTRIED_NAME
};

#define HD_FACT_BIT(name, bit) | UINT64_C(1) << (bit)
#define HD_ALL_FACTS (UINT64_C(0) HD_FACTS(HD_FACT_BIT))

#endif
