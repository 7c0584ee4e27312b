/* SPDX-License-Identifier: BSD-2-Clause
 *
 * calls.h - the operations of the models: how they are written, and what they do to a state. */
#ifndef HD_HISTORY_CALLS_H
#define HD_HISTORY_CALLS_H

#include "history/history.h"

/* What a call returns. */
enum hd_returns {
    HD_RETURNS_NOTHING,
    HD_RETURNS_VALUE,
    HD_RETURNS_TRUTH, /* true or false */
    HD_RETURNS_NUMBER,
};

struct hd_call_info {
    enum hd_model model;
    const char *word;
    enum hd_call code;
    uint8_t nargs;
    bool counts;      /* its argument is a number */
    bool observes;    /* useless without a result, so it must have one if it has returned */
    bool of_all;      /* concerns all keys: the object cannot be judged key by key */
    enum hd_returns returns;
};

/* Returns NULL if the model has no such operation. */
const struct hd_call_info *hd_call_find(enum hd_model model, const char *word);
const struct hd_call_info *hd_call_info(enum hd_model model, enum hd_call code);
/* Writes the operations of the model: "enqueue V, dequeue -> V|empty". */
void hd_calls_list(enum hd_model model, char *buf, size_t cap);

/* The state of an object: numbers, as the model understands them. */
struct hd_state {
    const uint32_t *word;
    uint32_t n;
};

/* Two more words than a state has are enough for the state after an operation. */
enum { HD_STATE_GROWS = 2 };

/* The state before all operations; to has room for HD_STATE_GROWS words. */
uint32_t hd_state_first(const struct hd_history *h, uint32_t *to);
/* Runs an operation.  Returns false if its result cannot be the recorded one; otherwise the new state is in
 * to[0..*n). */
bool hd_state_step(const struct hd_history *h, const struct hd_history_op *op, struct hd_state from, uint32_t *to,
                   uint32_t *n);

#endif
