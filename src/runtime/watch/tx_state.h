/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_state.h - the running transaction, for the files that run it: there is only one (transaction.h, T1). */
#ifndef HD_RUNTIME_WATCH_TX_STATE_H
#define HD_RUNTIME_WATCH_TX_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/call_stack.h"
#include "runtime/core/thread_state.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/tx_outcome.h"

enum {
    HD_TX_DEEPEST = 256 * 1024, /* number of bytes of the stack that are saved at a begin */
    HD_TX_ABORT_STACK = 64 * 1024,
    HD_ITM_ABORTED = 0x10,      /* what the begin of GNU TM returns after it was cancelled */
    HD_TX_CALLS = 16,           /* number of entries of the shadow call stack that are saved */
};

/* The layout of the C++ ABI. */
struct hd_tx_exceptions {
    void *caught;
    unsigned uncaught;
};

struct hd_tx_state {
    unsigned depth;   /* number of begins without an end; an abort returns to the first */
    uint64_t pc;
    uint32_t event;   /* of the begin */
    bool gnu;         /* of GNU TM */
    bool irrevocable;
    bool atomic;      /* it must never become irrevocable */
    struct hd_tx_nesting nesting;
    uint32_t status;
    bool races;       /* hd.races before */
    uint64_t stores;
    struct hd_call *calls;
    struct hd_call call[HD_TX_CALLS]; /* the last ones */
    struct hd_tx_exceptions exceptions;
    uintptr_t lowest; /* lowest address of the stack that `stack` contains */
    size_t size;
    struct hd_tx_frame *frame;
    uint8_t *stack;
    uint8_t *abort_stack; /* the abort restores the thread's own stack */
};

extern struct hd_tx_state hd_tx __attribute__((visibility("hidden")));

/* Keeps what an abort restores besides memory, and begins a log of accesses; restores it. */
void hd_tx_save(const struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest);
void hd_tx_put_back(void);
/* Checks whether the body has done anything but accesses to memory: that cannot be undone.  locks: nor can those. */
void hd_tx_look_for_others(const struct hd_thread *t, bool locks);
/* The thread waits for its turn, then the body begins. */
void hd_tx_begin_step(struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest, uint64_t registers, bool gnu);
void hd_tx_begin_nested(void);
void hd_tx_commit(struct hd_thread *t, uint64_t pc);
/* Undoes the body, and continues after the begin. */
_Noreturn void hd_tx_abort_with(uint32_t status);

#endif
