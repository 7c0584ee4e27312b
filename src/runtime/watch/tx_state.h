/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_state.h - the running transaction, shared by the files that implement it. At most one transaction runs at a
 * time (transaction.h, T1). */
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
    HD_TX_DEEPEST = 256 * 1024, /* maximum number of bytes of the stack that are saved at a begin */
    HD_TX_ABORT_STACK = 64 * 1024,
    HD_ITM_ABORTED = 0x10,      /* value that the begin of a GNU TM transaction returns after the transaction was
                                 * cancelled */
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
    uint32_t event;   /* number of the event of the begin */
    bool gnu;         /* it is a transaction of GNU TM */
    bool irrevocable;
    bool atomic;      /* it must not become irrevocable */
    struct hd_tx_nesting nesting;
    uint32_t status;
    bool races;       /* value of hd.races before the begin */
    uint64_t stores;
    struct hd_call *calls;
    struct hd_call call[HD_TX_CALLS]; /* the last entries of the shadow call stack at the begin */
    struct hd_tx_exceptions exceptions;
    uintptr_t lowest; /* address of the first byte that `stack` contains */
    size_t size;
    struct hd_tx_frame *frame;
    uint8_t *stack;
    uint8_t *abort_stack; /* the abort runs on this stack, because it restores the thread's own */
};

extern struct hd_tx_state hd_tx __attribute__((visibility("hidden")));

/* hd_tx_save saves what an abort must restore besides memory, and begins a log of accesses. hd_tx_put_back restores
 * it. */
void hd_tx_save(const struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest);
void hd_tx_put_back(void);
/* Reports operations of the body that cannot be undone, that is, everything but accesses to memory. locks:
 * operations on locks cannot be undone either. */
void hd_tx_look_for_others(const struct hd_thread *t, bool locks);
/* Waits for the thread's turn and enters the transaction. */
void hd_tx_begin_step(struct hd_thread *t, struct hd_tx_frame *f, uintptr_t lowest, uint64_t registers, bool gnu);
void hd_tx_begin_nested(void);
void hd_tx_commit(struct hd_thread *t, uint64_t pc);
/* Undoes the body, and continues after the begin. */
_Noreturn void hd_tx_abort_with(uint32_t status);

#endif
