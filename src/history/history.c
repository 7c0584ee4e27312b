/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history.c - reads histories.  The text may come from anywhere: nothing in it is trusted. */
#include "history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "history/calls.h"

enum { WORDS = 16, LARGEST = 4000000 /* maximum number of operations; their positions must fit in 32 bits */ };

struct reader {
    struct hd_history *h;
    bool has_model;
    uint32_t line;
    char *word[WORDS]; /* words of the line */
    int nwords;
    char *message;
    size_t cap;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *fmt, ...)
{
    va_list ap;
    int n = r->line > 0 ? snprintf(r->message, r->cap, "line %u: ", r->line) : 0;

    va_start(ap, fmt);
    vsnprintf(r->message + n, r->cap - (size_t)n, fmt, ap);
    va_end(ap);
    return false;
}

enum hd_model hd_model_find(const char *word)
{
    int m = 0;

    while (m < HD_MODELS && strcmp(hd_model_words[m], word) != 0)
        m++;
    return (enum hd_model)m;
}

static bool read_number(const char *word, int64_t *number)
{
    char *end;
    const char *digits = word + (*word == '-' || *word == '+');

    if (*digits == '\0' || strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 18)
        return false;
    *number = strtoll(word, &end, 10);
    return true;
}

static bool read_time(const char *word, uint64_t *time)
{
    size_t n = strlen(word);

    if (n == 0 || n > 19 || strspn(word, "0123456789") != n)
        return false;
    *time = strtoull(word, NULL, 10);
    return true;
}

/* ---- a line ----------------------------------------------------------------------------------- */

/* Splits a word "object.call" in place.  Returns the call. */
static char *without_object(char *word, const char **object)
{
    char *dot = strrchr(word, '.');

    *object = "";
    if (dot == NULL)
        return word;
    *dot = '\0';
    *object = word;
    return dot + 1;
}

static bool read_result(struct reader *r, const struct hd_call_info *call, const char *word, struct hd_history_op *op)
{
    op->has_result = true;
    if (call->returns == HD_RETURNS_NUMBER)
        return read_number(word, &op->counted) || refuse(r, "the result of %s must be a number, not '%.40s'", call->word, word);
    op->result = hd_texts_add(&r->h->values, word);
    if (call->returns == HD_RETURNS_TRUTH && op->result != HD_VALUE_TRUE && op->result != HD_VALUE_FALSE)
        return refuse(r, "the result of %s must be true or false, not '%.40s'", call->word, word);
    if (call->returns == HD_RETURNS_NOTHING)
        return refuse(r, "%s has no result in the model %s", call->word, hd_model_words[call->model]);
    return true;
}

static bool is_reserved(enum hd_model m, uint32_t value)
{
    return (m == HD_MODEL_QUEUE || m == HD_MODEL_STACK) ? value == HD_VALUE_EMPTY
                                                        : m == HD_MODEL_MAP && value == HD_VALUE_NONE;
}

static bool read_arguments(struct reader *r, const struct hd_call_info *call, struct hd_history_op *op)
{
    if (call->counts)
        return read_number(r->word[4], &op->number) ||
               refuse(r, "the argument of %s must be a number, not '%.40s'", call->word, r->word[4]);
    for (int i = 0; i < call->nargs; i++) {
        op->arg[i] = hd_texts_add(&r->h->values, r->word[4 + i]);
        if (is_reserved(call->model, op->arg[i]))
            return refuse(r, "'%s' is no value of a %s: it means that there is none", r->word[4 + i],
                          hd_model_words[call->model]);
    }
    return true;
}

static bool read_call(struct reader *r, struct hd_history_op *op)
{
    const char *object, *word;
    char known[300];

    word = without_object(r->word[3], &object);
    const struct hd_call_info *call = hd_call_find(r->h->model, word);

    if (call == NULL) {
        hd_calls_list(r->h->model, known, sizeof known);
        return refuse(r, "the model %s has no operation '%.40s'; it has %s", hd_model_words[r->h->model], word, known);
    }
    op->code = call->code;
    op->object = hd_texts_add(&r->h->objects, object);
    int after = 4 + call->nargs;
    bool has_result = r->nwords == after + 2 && strcmp(r->word[after], "->") == 0;

    if (r->nwords != after && !has_result)
        return refuse(r, "%s takes %d argument%s, and its result comes after '->'", call->word, call->nargs,
                      call->nargs == 1 ? "" : "s");
    if (!read_arguments(r, call, op) || (has_result && !read_result(r, call, r->word[after + 1], op)))
        return false;
    if (has_result && op->ret == HD_NEVER)
        return refuse(r, "an operation with a result has returned: write when in place of '-'");
    if (!has_result && op->ret != HD_NEVER && call->observes)
        return refuse(r, "%s has returned, so it needs its result: %s ... -> RESULT", call->word, call->word);
    return true;
}

static bool read_op(struct reader *r)
{
    struct hd_history_op op = { .line = r->line };

    if (!r->has_model)
        return refuse(r, "the model is not known; begin with a line 'model NAME', or give --model");
    if (r->nwords < 4)
        return refuse(r, "an operation is CLIENT CALLED RETURNED OPERATION [ARGUMENT...] [-> RESULT]");
    if (!read_time(r->word[1], &op.called))
        return refuse(r, "'%.40s' is not the time of a call: an integer from 0", r->word[1]);
    if (strcmp(r->word[2], "-") == 0)
        op.ret = HD_NEVER;
    else if (!read_time(r->word[2], &op.returned))
        return refuse(r, "'%.40s' is not the time of a return: an integer from 0, or '-' if it has not returned", r->word[2]);
    else if (op.returned < op.called)
        return refuse(r, "the operation returns before it is called");
    if (r->h->n == LARGEST)
        return refuse(r, "more than %d operations", LARGEST);
    if (!read_call(r, &op))
        return false;
    op.client = hd_texts_add(&r->h->clients, r->word[0]);
    *HD_PUSH(r->h->op, r->h->n) = op;
    return true;
}

static bool read_model(struct reader *r)
{
    enum hd_model m = hd_model_find(r->word[1]);

    if (r->h->n > 0)
        return refuse(r, "the model comes before the operations");
    if (m == HD_MODELS)
        return refuse(r, "there is no model '%.40s'; there are register, cas-register, counter, queue, stack, set, map",
                      r->word[1]);
    if (r->has_model && m != r->h->model)
        return refuse(r, "the model is %s, not %s: it was given before", hd_model_words[r->h->model], r->word[1]);
    r->h->model = m;
    r->has_model = true;
    return true;
}

static bool read_initial(struct reader *r)
{
    if (!r->has_model || r->h->n > 0)
        return refuse(r, "the initial value comes after the model and before the operations");
    if (r->h->model > HD_MODEL_COUNTER)
        return refuse(r, "a %s is empty at first and has no initial value", hd_model_words[r->h->model]);
    r->h->initial = hd_texts_add(&r->h->values, r->word[1]);
    if (r->h->model == HD_MODEL_COUNTER && !read_number(r->word[1], &r->h->start))
        return refuse(r, "the initial value of a counter is a number, not '%.40s'", r->word[1]);
    return true;
}

/* Splits the line in place.  Returns false if it has too many words. */
static bool split(struct reader *r, char *line)
{
    char *rest = line;

    r->nwords = 0;
    for (char *w = strtok_r(line, " \t\r", &rest); w != NULL; w = strtok_r(NULL, " \t\r", &rest)) {
        if (*w == '#')
            return true;
        if (r->nwords == WORDS)
            return refuse(r, "too many words");
        r->word[r->nwords++] = w;
    }
    return true;
}

static bool read_line(struct reader *r, char *line)
{
    if (!split(r, line))
        return false;
    if (r->nwords == 0)
        return true;
    if (r->nwords == 2 && strcmp(r->word[0], "model") == 0)
        return read_model(r);
    if (r->nwords == 2 && strcmp(r->word[0], "initial") == 0)
        return read_initial(r);
    return read_op(r);
}

/* ---- the order of calls and returns ------------------------------------------------------------ */

struct moment {
    uint64_t time;
    bool is_return;
    uint32_t op;
};

/* Orders calls before returns at the same time, so that the operations overlap. */
static int compare_moments(const void *pa, const void *pb)
{
    const struct moment *a = pa, *b = pb;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->is_return != b->is_return)
        return a->is_return ? 1 : -1;
    return (a->op > b->op) - (a->op < b->op);
}

static void place(struct hd_history *h)
{
    struct moment *all = hd_zeroed(2 * (size_t)h->n, sizeof *all);
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->n; i++) {
        all[n++] = (struct moment){ h->op[i].called, false, i };
        if (h->op[i].ret != HD_NEVER)
            all[n++] = (struct moment){ h->op[i].returned, true, i };
    }
    if (n > 0)
        qsort(all, n, sizeof *all, compare_moments);
    for (uint32_t i = 0; i < n; i++)
        *(all[i].is_return ? &h->op[all[i].op].ret : &h->op[all[i].op].call) = i + 1;
    free(all);
}

static int compare_clients(const void *pa, const void *pb)
{
    const struct hd_history_op *a = *(const struct hd_history_op *const *)pa, *b = *(const struct hd_history_op *const *)pb;

    if (a->client != b->client)
        return a->client < b->client ? -1 : 1;
    if (a->called != b->called)
        return a->called < b->called ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Checks that a client calls an operation only after its previous one has returned.  If that one never returns,
 * the client has given it up and may go on. */
static bool check_clients(struct reader *r)
{
    struct hd_history *h = r->h;
    const struct hd_history_op **by = hd_zeroed(h->n, sizeof *by);
    bool ok = true;

    for (uint32_t i = 0; i < h->n; i++)
        by[i] = &h->op[i];
    if (h->n > 0)
        qsort(by, h->n, sizeof *by, compare_clients);
    for (uint32_t i = 1; i < h->n && ok; i++)
        if (by[i]->client == by[i - 1]->client && by[i - 1]->ret != HD_NEVER && by[i]->called < by[i - 1]->returned) {
            r->line = by[i]->line;
            ok = refuse(r, "the client calls although its operation of line %u has not returned yet", by[i - 1]->line);
        }
    free(by);
    return ok;
}

bool hd_history_read(struct hd_history *h, const char *text, enum hd_model model, char *message, size_t cap)
{
    static const char *const known[HD_VALUE_FIRST] = { "none", "empty", "false", "true" };
    struct reader r = { .h = h, .has_model = model != HD_MODELS, .message = message, .cap = cap };
    char *copy = hd_copied(text), *line = copy;
    bool ok = true;

    *h = (struct hd_history){ .model = model != HD_MODELS ? model : HD_MODEL_REGISTER };
    for (int i = 0; i < HD_VALUE_FIRST; i++)
        hd_texts_add(&h->values, known[i]);
    h->initial = hd_texts_add(&h->values, "0");
    while (line != NULL && ok) {
        char *next = strchr(line, '\n');

        if (next != NULL)
            *next++ = '\0';
        r.line++;
        ok = read_line(&r, line);
        line = next;
    }
    if (ok && h->n == 0) {
        r.line = 0;
        ok = refuse(&r, "it has no operations");
    }
    ok = ok && check_clients(&r);
    if (ok)
        place(h);
    free(copy);
    return ok;
}

void hd_history_free(struct hd_history *h)
{
    free(h->op);
    hd_texts_free(&h->values);
    hd_texts_free(&h->clients);
    hd_texts_free(&h->objects);
}

void hd_history_describe(const struct hd_history *h, const struct hd_history_op *op, char *buf, size_t cap)
{
    const struct hd_call_info *call = hd_call_info(h->model, op->code);
    const char *object = h->objects.text[op->object];
    int n = snprintf(buf, cap, "%.60s%s%s", object, *object != '\0' ? "." : "", call->word);

    if (call->counts)
        n += snprintf(buf + n, cap - (size_t)n, " %lld", (long long)op->number);
    for (int i = 0; i < call->nargs && !call->counts; i++)
        n += snprintf(buf + n, cap - (size_t)n, " %.60s", h->values.text[op->arg[i]]);
    if (op->has_result && call->returns == HD_RETURNS_NUMBER)
        snprintf(buf + n, cap - (size_t)n, " -> %lld", (long long)op->counted);
    else if (op->has_result)
        snprintf(buf + n, cap - (size_t)n, " -> %.60s", h->values.text[op->result]);
}
