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
    bool observes;    /* useless without a result, so its result must be given if it has returned */
    bool of_all;      /* concerns all keys, so the object cannot be checked key by key */
    enum hd_returns returns;
};

/* Returns NULL if the model has no such operation. */
const struct hd_call_info *hd_call_find(enum hd_model model, const char *word);
const struct hd_call_info *hd_call_info(enum hd_model model, enum hd_call code);
/* Writes the operations of the model: "enqueue V, dequeue -> V|empty". */
void hd_calls_list(enum hd_model model, char *buf, size_t cap);

/* The state of an object: words whose meaning the model defines. */
struct hd_state {
    const uint32_t *word;
    uint32_t n;
};

/* After an operation a state has at most this many more words. */
enum { HD_STATE_GROWS = 2 };

/* Stores the state before all operations in `to`, which has room for HD_STATE_GROWS words.  Returns its number
 * of words. */
uint32_t hd_state_first(const struct hd_history *h, uint32_t *to);
/* Executes an operation.  Returns false if its result cannot be the recorded one; otherwise the new state is in
 * to[0..*n). */
bool hd_state_step(const struct hd_history *h, const struct hd_history_op *op, struct hd_state from, uint32_t *to,
                   uint32_t *n);

#endif
