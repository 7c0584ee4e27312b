/* SPDX-License-Identifier: BSD-2-Clause
 *
 * calls.c - the table of operations, and the sequential models that execute them. */
#include "history/calls.h"

#include <stdio.h>
#include <string.h>

const char *const hd_model_words[HD_MODELS + 1] = { "register", "cas-register", "counter", "queue", "stack",
                                                    "set", "map", NULL };

#define M(name) .model = HD_MODEL_##name
#define C(name) .code = HD_CALL_##name
#define R(name) .returns = HD_RETURNS_##name

static const struct hd_call_info calls[] = {
    { M(REGISTER), C(READ), .word = "read", .observes = true, R(VALUE) },
    { M(REGISTER), C(WRITE), .word = "write", .nargs = 1 },
    { M(CAS_REGISTER), C(READ), .word = "read", .observes = true, R(VALUE) },
    { M(CAS_REGISTER), C(WRITE), .word = "write", .nargs = 1 },
    { M(CAS_REGISTER), C(CAS), .word = "cas", .nargs = 2, .observes = true, R(TRUTH) },
    { M(COUNTER), C(READ), .word = "read", .observes = true, R(NUMBER) },
    { M(COUNTER), C(ADD), .word = "add", .nargs = 1, .counts = true, R(NUMBER) },
    { M(QUEUE), C(ENQUEUE), .word = "enqueue", .nargs = 1 },
    { M(QUEUE), C(DEQUEUE), .word = "dequeue", .observes = true, R(VALUE) },
    { M(STACK), C(ENQUEUE), .word = "push", .nargs = 1 },
    { M(STACK), C(DEQUEUE), .word = "pop", .observes = true, R(VALUE) },
    { M(SET), C(INSERT), .word = "add", .nargs = 1, R(TRUTH) },
    { M(SET), C(REMOVE), .word = "remove", .nargs = 1, R(TRUTH) },
    { M(SET), C(CONTAINS), .word = "contains", .nargs = 1, .observes = true, R(TRUTH) },
    { M(SET), C(SIZE), .word = "size", .observes = true, .of_all = true, R(NUMBER) },
    { M(MAP), C(PUT), .word = "put", .nargs = 2, R(VALUE) },
    { M(MAP), C(GET), .word = "get", .nargs = 1, .observes = true, R(VALUE) },
    { M(MAP), C(DELETE), .word = "remove", .nargs = 1, R(VALUE) },
    { M(MAP), C(SIZE), .word = "size", .observes = true, .of_all = true, R(NUMBER) },
};

enum { CALLS = sizeof calls / sizeof *calls };

const struct hd_call_info *hd_call_find(enum hd_model model, const char *word)
{
    for (int i = 0; i < CALLS; i++)
        if (calls[i].model == model && strcmp(calls[i].word, word) == 0)
            return &calls[i];
    return NULL;
}

const struct hd_call_info *hd_call_info(enum hd_model model, enum hd_call code)
{
    for (int i = 0; i < CALLS; i++)
        if (calls[i].model == model && calls[i].code == code)
            return &calls[i];
    return NULL;
}

void hd_calls_list(enum hd_model model, char *buf, size_t cap)
{
    static const char *const results[] = { "", " -> VALUE", " -> true|false", " -> NUMBER" };
    size_t used = 0;

    buf[0] = '\0';
    for (int i = 0; i < CALLS && used < cap; i++)
        if (calls[i].model == model)
            used += (size_t)snprintf(buf + used, cap - used, "%s%s%s%s", used > 0 ? ", " : "", calls[i].word,
                                     calls[i].nargs == 0 ? "" : calls[i].nargs == 1 ? " X" : " X Y",
                                     results[calls[i].returns]);
}

/* ---- the models ------------------------------------------------------------------------------- */

static bool returns(const struct hd_history_op *op, uint32_t value)
{
    return !op->has_result || op->result == value;
}

static bool returns_truth(const struct hd_history_op *op, bool truth)
{
    return returns(op, truth ? HD_VALUE_TRUE : HD_VALUE_FALSE);
}

static bool returns_number(const struct hd_history_op *op, int64_t n)
{
    return !op->has_result || op->counted == n;
}

static void copy(uint32_t *to, const uint32_t *from, uint32_t n)
{
    memcpy(to, from, n * sizeof *to);
}

uint32_t hd_state_first(const struct hd_history *h, uint32_t *to)
{
    switch (h->model) {
    case HD_MODEL_REGISTER:
    case HD_MODEL_CAS_REGISTER:
        to[0] = h->initial;
        return 1;
    case HD_MODEL_COUNTER:
        memcpy(to, &h->start, sizeof h->start);
        return 2;
    default:
        return 0;
    }
}

static bool step_register(const struct hd_history_op *op, uint32_t now, uint32_t *to)
{
    bool swaps = op->code == HD_CALL_CAS && now == op->arg[0];

    *to = op->code == HD_CALL_WRITE ? op->arg[0] : swaps ? op->arg[1] : now;
    if (op->code == HD_CALL_CAS)
        return returns_truth(op, swaps);
    return op->code != HD_CALL_READ || returns(op, now);
}

static bool step_counter(const struct hd_history_op *op, const uint32_t *from, uint32_t *to)
{
    int64_t now, next;

    memcpy(&now, from, sizeof now);
    /* numbers wrap around, as in the processor */
    next = op->code == HD_CALL_ADD ? (int64_t)((uint64_t)now + (uint64_t)op->number) : now;
    memcpy(to, &next, sizeof next);
    return returns_number(op, next);
}

/* Executes an operation of a queue or stack.  The front of a queue is the first word of the state, the top of a
 * stack the last one. */
static bool step_line(const struct hd_history_op *op, struct hd_state from, uint32_t *to, uint32_t *n, bool first)
{
    *n = from.n;
    copy(to, from.word, from.n);
    if (op->code == HD_CALL_ENQUEUE) {
        to[(*n)++] = op->arg[0];
        return true;
    }
    if (from.n == 0)
        return returns(op, HD_VALUE_EMPTY);
    --*n;
    if (first)
        copy(to, from.word + 1, *n);
    return returns(op, from.word[first ? 0 : *n]);
}

/* Returns the position of a key among entries of `each` words, which are sorted by their keys. */
static uint32_t place_of(struct hd_state s, uint32_t key, uint32_t each)
{
    uint32_t at = 0;

    while (at < s.n && s.word[at] < key)
        at += each;
    return at;
}

static void copy_without(struct hd_state s, uint32_t at, uint32_t each, uint32_t *to, uint32_t *n)
{
    copy(to, s.word, at);
    copy(to + at, s.word + at + each, s.n - at - each);
    *n = s.n - each;
}

static void copy_with(struct hd_state s, uint32_t at, const uint32_t *entry, uint32_t each, uint32_t *to, uint32_t *n)
{
    copy(to, s.word, at);
    copy(to + at, entry, each);
    copy(to + at + each, s.word + at, s.n - at);
    *n = s.n + each;
}

static bool step_set(const struct hd_history_op *op, struct hd_state from, uint32_t *to, uint32_t *n)
{
    uint32_t at = place_of(from, op->arg[0], 1);
    bool has = at < from.n && from.word[at] == op->arg[0];

    if (op->code == HD_CALL_INSERT && !has)
        copy_with(from, at, op->arg, 1, to, n);
    else if (op->code == HD_CALL_REMOVE && has)
        copy_without(from, at, 1, to, n);
    else
        copy(to, from.word, *n = from.n);
    if (op->code == HD_CALL_SIZE)
        return returns_number(op, from.n);
    return returns_truth(op, op->code == HD_CALL_INSERT ? !has : has);
}

static bool step_map(const struct hd_history_op *op, struct hd_state from, uint32_t *to, uint32_t *n)
{
    uint32_t at = place_of(from, op->arg[0], 2);
    bool has = at < from.n && from.word[at] == op->arg[0];

    if (op->code == HD_CALL_PUT && !has)
        copy_with(from, at, op->arg, 2, to, n);
    else if (op->code == HD_CALL_DELETE && has)
        copy_without(from, at, 2, to, n);
    else
        copy(to, from.word, *n = from.n);
    if (op->code == HD_CALL_PUT)
        to[at + 1] = op->arg[1];
    if (op->code == HD_CALL_SIZE)
        return returns_number(op, from.n / 2);
    return returns(op, has ? from.word[at + 1] : HD_VALUE_NONE);
}

bool hd_state_step(const struct hd_history *h, const struct hd_history_op *op, struct hd_state from, uint32_t *to,
                   uint32_t *n)
{
    switch (h->model) {
    case HD_MODEL_REGISTER:
    case HD_MODEL_CAS_REGISTER:
        *n = 1;
        return step_register(op, from.word[0], to);
    case HD_MODEL_COUNTER:
        *n = 2;
        return step_counter(op, from.word, to);
    case HD_MODEL_QUEUE:
    case HD_MODEL_STACK:
        return step_line(op, from, to, n, h->model == HD_MODEL_QUEUE);
    case HD_MODEL_SET:
        return step_set(op, from, to, n);
    default:
        return step_map(op, from, to, n);
    }
}
