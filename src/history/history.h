/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history.h - recorded histories.  A history lists the operations of clients on an object: when each was
 * called, when it returned, and its result. `heddle history` checks whether a history is linearizable, by a
 * model of the object.
 *
 * The file has one operation on a line, in any order:
 *
 *     model queue                    before the operations, unless the caller names the model
 *     initial 7                      initial value of a register or counter; 0 without this line
 *     # CLIENT CALLED RETURNED OPERATION [ARGUMENT...] [-> RESULT]
 *     a 10 25 enqueue 1
 *     b 12 - dequeue                 has not returned, so it may or may not have taken effect
 *     a 30 41 jobs.dequeue -> empty  on the object "jobs"
 *
 * An operation comes before another one if it returned earlier than the other one was called; if both times are
 * equal, the operations overlap. */
#ifndef HD_HISTORY_HISTORY_H
#define HD_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

enum hd_model {
    HD_MODEL_REGISTER,
    HD_MODEL_CAS_REGISTER,
    HD_MODEL_COUNTER,
    HD_MODEL_QUEUE,
    HD_MODEL_STACK,
    HD_MODEL_SET,
    HD_MODEL_MAP,
    HD_MODELS
};
extern const char *const hd_model_words[HD_MODELS + 1]; /* NULL-terminated */

enum hd_call {
    HD_CALL_READ,
    HD_CALL_WRITE,
    HD_CALL_CAS,
    HD_CALL_ADD,      /* adds to a counter */
    HD_CALL_ENQUEUE,  /* for a stack: push */
    HD_CALL_DEQUEUE,  /* for a stack: pop */
    HD_CALL_INSERT,   /* adds to a set */
    HD_CALL_REMOVE,
    HD_CALL_CONTAINS,
    HD_CALL_PUT,
    HD_CALL_GET,
    HD_CALL_DELETE,
    HD_CALL_SIZE,
};

/* Values with a special meaning. */
enum { HD_VALUE_NONE, HD_VALUE_EMPTY, HD_VALUE_FALSE, HD_VALUE_TRUE, HD_VALUE_FIRST };

#define HD_NEVER UINT32_MAX /* position of the return of an operation that has not returned */

struct hd_history_op {
    enum hd_call code;
    bool has_result;       /* false: the result is unknown */
    uint32_t line, client, object;
    uint32_t arg[2], result; /* argument and result as values */
    int64_t number, counted; /* argument and result of operations on counters */
    uint64_t called, returned; /* times of the call and of the return */
    uint32_t call, ret;    /* positions among all calls and returns, from 1; HD_NEVER: none */
};

struct hd_history {
    enum hd_model model;
    struct hd_history_op *op;
    uint32_t n;
    struct hd_texts values, clients, objects;
    uint32_t initial; /* initial value */
    int64_t start;    /* initial value of a counter */
};

/* Reads a history. model: HD_MODELS if the text must name the model.  Returns false, with a message that names
 * the line, if the text is not a valid history.  In either case hd_history_free must be called. */
bool hd_history_read(struct hd_history *h, const char *text, enum hd_model model, char *message, size_t cap);
void hd_history_free(struct hd_history *h);

enum hd_model hd_model_find(const char *word);
/* Writes the operation as in the file, without times. */
void hd_history_describe(const struct hd_history *h, const struct hd_history_op *op, char *buf, size_t cap);

#endif
