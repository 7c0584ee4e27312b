/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history.c - compares an execution with the sequential outcomes again, to find the nearest one. */
#include "report/evidence/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linear/table.h"

/* An execution and the sequential outcomes with which it is compared. */
struct history {
    struct hd_lin_table *table; /* NULL: the finding has no record */
    struct hd_lin_record *own, *other; /* other: the nearest outcome */
    const struct hd_lin_outcome *nearest;
    const struct hd_lin_order *order;  /* an order of the nearest outcome; NULL: none respects real time */
    bool latent;   /* the clients' results alone have a sequential order */
    bool reordered; /* results and state have a sequential order, but one that does not respect real time */
};

static bool read_own(const struct hd_report *r, struct hd_lin_record *own)
{
    const struct hd_section *s = hd_finding_section(r->finding, HD_SEC_HISTORY, HD_NO_TID);
    const char *text = s != NULL ? (const char *)(s + 1) : NULL;

    return text != NULL && hd_lin_read(text, text + s->bytes, own) == text + s->bytes && own->nops > 0;
}

static void close_history(struct history *h)
{
    free(h->table);
    free(h->own);
    free(h->other);
}

/* Returns operation number n of that client in the outcome, or NULL. */
static const struct hd_lin_op *nth_of(const struct hd_lin_record *r, unsigned client, unsigned nth)
{
    for (uint32_t i = 0; i < r->nops; i++)
        if (r->op[i].client == client && nth-- == 0)
            return &r->op[i];
    return NULL;
}

/* Returns the operation of the other record that corresponds to operation i of this one, or NULL. */
static const struct hd_lin_op *counterpart(const struct hd_lin_record *own, uint32_t i, const struct hd_lin_record *other)
{
    unsigned nth = 0;

    for (uint32_t k = 0; k < i; k++)
        nth += own->op[k].client == own->op[i].client;
    return nth_of(other, own->op[i].client, nth);
}

/* True if operation i of the execution agrees with its counterpart in h->other. */
static bool agrees(const struct history *h, uint32_t i)
{
    const struct hd_lin_op *there = counterpart(h->own, i, h->other);

    return there != NULL && hd_lin_op_agrees(h->own, i, h->other, there);
}

/* Returns how much the execution differs from the outcome in h->other: the number of different results and then of
 * different components. */
static uint32_t distance(const struct history *h, const struct hd_lin_outcome *o)
{
    uint32_t d = 0;

    for (uint32_t i = 0; i < h->own->nops; i++)
        d += agrees(h, i) ? 0 : 100;
    for (uint32_t c = 0; c < h->own->ncomponents; c++)
        d += !hd_lin_component_agrees(h->table, o, h->own, c);
    return d;
}

static bool read_outcome(const struct hd_report *r, const struct history *h, const struct hd_lin_outcome *o)
{
    const struct hd_expected *e = &r->wire->common->expected;

    return hd_lin_read(o->text, e->text + e->size, h->other) != NULL;
}

static void find_nearest(const struct hd_report *r, struct history *h)
{
    uint32_t least = UINT32_MAX;

    for (uint32_t i = 0; i < h->table->noutcomes; i++) {
        const struct hd_lin_outcome *o = &h->table->outcome[i];
        const struct hd_lin_order *order = hd_lin_order_for(h->table, o, h->own);
        uint32_t d = read_outcome(r, h, o) ? distance(h, o) : UINT32_MAX;

        if (order == NULL && d == 0)
            h->reordered = true;
        if (order == NULL || d >= least)
            continue;
        least = d;
        h->nearest = o;
        h->order = order;
    }
    if (h->nearest != NULL)
        read_outcome(r, h, h->nearest);
    h->latent = hd_lin_judge(h->table, h->own).latent;
}

/* Reads the record of the execution.  Returns false if the finding has none. */
static bool open_history(const struct hd_report *r, struct history *h)
{
    const struct hd_expected *e = &r->wire->common->expected;

    memset(h, 0, sizeof *h);
    h->own = hd_zeroed(1, sizeof *h->own);
    h->other = hd_zeroed(1, sizeof *h->other);
    h->table = hd_zeroed(1, sizeof *h->table);
    if (!read_own(r, h->own)) {
        close_history(h);
        return false;
    }
    if (e->state == HD_EXPECTED_KNOWN && hd_lin_table_load(h->table, e->text, e->size)) {
        find_nearest(r, h);
    } else {
        free(h->table);
        h->table = NULL;
    }
    return true;
}

static const char *client_of(const struct hd_lin_record *r, const struct hd_lin_op *op)
{
    return op->client < r->nclients ? hd_lin_text(r, r->name[op->client]) : "afterwards";
}

/* True if an operation returned an error that it does not return in the nearest sequential order. */
static bool is_error(const struct history *h)
{
    for (uint32_t i = 0; i < h->own->nops && h->nearest != NULL; i++)
        if (h->own->op[i].end == HD_LIN_ERROR && !agrees(h, i))
            return true;
    return false;
}

static const char *summary_of(const struct history *h)
{
    if (h->reordered && !h->latent)
        return "only sequential orders that contradict real time give these results";
    if (h->latent)
        return "no sequential order of the operations leaves this state";
    return is_error(h) ? "no sequential order of the operations gives this error"
                       : "no sequential order of the operations gives these results";
}

void hd_history_message(const struct hd_report *r, char *buf, size_t cap)
{
    struct history h;

    if (!open_history(r, &h)) {
        snprintf(buf, cap, "%s", r->finding->message);
        return;
    }
    snprintf(buf, cap, "%s", summary_of(&h));
    close_history(&h);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_state(const struct hd_lin_record *r, uint32_t c, FILE *out)
{
    const char *before = "";

    for (uint32_t i = 0; i < r->nelements; i++)
        if (r->element[i].component == c) {
            char seen[300];

            hd_text_visible(hd_lin_text(r, r->element[i].text), seen, sizeof seen);
            fprintf(out, "%s%s", before, seen);
            before = ", ";
        }
    if (before[0] == '\0')
        fputs("(empty)", out);
}

static const char *result_of(const struct hd_lin_record *r, const struct hd_lin_op *op)
{
    return op->end != HD_LIN_LOST ? hd_lin_text(r, op->result) : "(not returned)";
}

static void put_op(const struct hd_lin_record *r, const struct hd_lin_op *op, FILE *out)
{
    char call[300], result[300];

    hd_text_visible(hd_lin_text(r, op->call), call, sizeof call);
    hd_text_visible(result_of(r, op), result, sizeof result);
    fprintf(out, "%s -> %s%s", call, op->end == HD_LIN_ERROR ? "error " : "", result);
}

static void operations(const struct hd_text *t, const struct hd_lin_record *r)
{
    for (unsigned c = 0; c <= HD_LIN_PROBE; c++)
        for (uint32_t i = 0, n = 0; i < r->nops; i++) {
            if (r->op[i].client != c)
                continue;
            fprintf(t->out, "  %-12.40s", n++ == 0 ? client_of(r, &r->op[i]) : "");
            put_op(r, &r->op[i], t->out);
            fputc('\n', t->out);
        }
    for (uint32_t c = 0; c < r->ncomponents; c++) {
        fprintf(t->out, "  %-12.40s", hd_lin_text(r, r->component[c].name));
        put_state(r, c, t->out);
        fputc('\n', t->out);
    }
}

/* "one: push(1), two: pop(), ..." */
static void put_order(const struct history *h, FILE *out)
{
    unsigned done[HD_LIN_CLIENTS] = { 0 };

    for (uint32_t i = 0; i < h->order->n; i++) {
        unsigned c = (unsigned)(h->order->clients[i] - '0');
        const struct hd_lin_op *op = nth_of(h->other, c, done[c]++);

        if (op != NULL)
            fprintf(out, "%s%s: %s", i > 0 ? ", " : "", client_of(h->other, op), hd_lin_text(h->other, op->call));
    }
}

static void differences(const struct hd_text *t, const struct history *h)
{
    for (uint32_t i = 0; i < h->own->nops; i++) {
        const struct hd_lin_op *there = counterpart(h->own, i, h->other);

        if (agrees(h, i))
            continue;
        fprintf(t->out, "  there, %s: ", client_of(h->own, &h->own->op[i]));
        if (there != NULL)
            put_op(h->other, there, t->out);
        else
            fputs("there is no such operation", t->out);
        fputc('\n', t->out);
    }
    for (uint32_t c = 0; c < h->own->ncomponents && c < h->other->ncomponents; c++)
        if (!hd_lin_component_agrees(h->table, h->nearest, h->own, c)) {
            fprintf(t->out, "  there, %s: ", hd_lin_text(h->own, h->own->component[c].name));
            put_state(h->other, c, t->out);
            fputc('\n', t->out);
        }
}

/* Lists the results that the operation has in the orders that respect real time. */
static void possible(const struct hd_text *t, const struct hd_report *r, const struct history *h)
{
    enum { SHOWN = 6 };
    struct history each = *h;
    uint32_t n = 0;

    each.other = hd_zeroed(1, sizeof *each.other);
    for (uint32_t i = 0; i < h->table->noutcomes; i++) {
        const struct hd_lin_outcome *o = &h->table->outcome[i];

        if (hd_lin_order_for(h->table, o, h->own) == NULL || !read_outcome(r, &each, o) || n++ >= SHOWN)
            continue;
        fputs("  ", t->out);
        for (uint32_t k = 0; k < each.other->nops; k++)
            fprintf(t->out, "%s%s", k > 0 ? ", " : "", result_of(each.other, &each.other->op[k]));
        for (uint32_t c = 0; c < each.other->ncomponents; c++) {
            fprintf(t->out, "; %s: ", hd_lin_text(each.other, each.other->component[c].name));
            put_state(each.other, c, t->out);
        }
        fputc('\n', t->out);
    }
    if (n > SHOWN)
        fprintf(t->out, "  ... and %u more\n", n - SHOWN);
    free(each.other);
}

void hd_history_text(const struct hd_text *t, const struct hd_report *r)
{
    struct history h;
    char line[200];

    if (!open_history(r, &h)) {
        hd_text_wrap(t, 0, 2, r->finding->message);
        return;
    }
    snprintf(line, sizeof line, "%s:", summary_of(&h));
    hd_text_wrap(t, 0, 2, line);
    operations(t, h.own);
    if (h.nearest != NULL) {
        fputs("Nearest sequential order: ", t->out);
        put_order(&h, t->out);
        fputc('\n', t->out);
        differences(t, &h);
        fprintf(t->out, "All results and states of sequential orders%s:\n", 
                h.table->criterion == HD_LIN_SEQUENTIAL  ? ""
                : h.table->criterion == HD_LIN_QUIESCENT ? " that respect quiescent moments"
                                                         : " that respect real time");
        possible(t, r, &h);
    }
    close_history(&h);
}

/* ---- events and JSON -------------------------------------------------------------------------- */

bool hd_history_operation(const struct hd_report *r, const struct hd_event *e, char *buf, size_t cap)
{
    if (e->kind != HD_EV_LINEAR_CALL && e->kind != HD_EV_LINEAR_RETURN)
        return false;
    struct hd_lin_record *own = hd_zeroed(1, sizeof *own);
    const struct hd_lin_op *op = read_own(r, own) ? nth_of(own, (unsigned)(e->value >> 8), e->value & 0xff) : NULL;

    if (op != NULL)
        hd_text_visible(hd_lin_text(own, e->kind == HD_EV_LINEAR_CALL ? op->call : op->result), buf, cap);
    free(own);
    return op != NULL;
}

static void json_op(struct hd_json *j, const struct hd_lin_record *r, const struct hd_lin_op *op)
{
    hd_json_object(j);
    hd_json_put_string(j, "client", op->client < r->nclients ? hd_lin_text(r, r->name[op->client]) : "");
    hd_json_put_string(j, "call", hd_lin_text(r, op->call));
    hd_json_put_string(j, "result", hd_lin_text(r, op->result));
    hd_json_put_bool(j, "error", op->end == HD_LIN_ERROR);
    hd_json_put_bool(j, "returned", op->end != HD_LIN_LOST);
    hd_json_put_array(j, "after");
    for (uint32_t i = 0; i < r->nclients; i++)
        hd_json_uint(j, op->before[i]);
    hd_json_end(j);
    hd_json_end(j);
}

static void json_record(struct hd_json *j, const struct hd_lin_record *r)
{
    hd_json_object(j);
    hd_json_put_array(j, "operations");
    for (uint32_t i = 0; i < r->nops; i++)
        json_op(j, r, &r->op[i]);
    hd_json_end(j);
    hd_json_put_array(j, "state");
    for (uint32_t c = 0; c < r->ncomponents; c++) {
        hd_json_object(j);
        hd_json_put_string(j, "component", hd_lin_text(r, r->component[c].name));
        hd_json_put_string(j, "kind", hd_lin_kind_words[r->component[c].kind]);
        hd_json_put_array(j, "elements");
        for (uint32_t i = 0; i < r->nelements; i++)
            if (r->element[i].component == c)
                hd_json_string(j, hd_lin_text(r, r->element[i].text));
        hd_json_end(j);
        hd_json_end(j);
    }
    hd_json_end(j);
    hd_json_end(j);
}

void hd_history_json(struct hd_json *j, const struct hd_report *r)
{
    struct history h;

    hd_json_object(j);
    if (open_history(r, &h)) {
        hd_json_put_string(j, "effect", is_error(&h) ? "error" : "semantic");
        hd_json_put_bool(j, "latent", h.latent);
        hd_json_put_bool(j, "real_time", h.reordered);
        hd_json_key(j, "execution");
        json_record(j, h.own);
        if (h.nearest != NULL) {
            hd_json_key(j, "nearest");
            json_record(j, h.other);
        }
        close_history(&h);
    }
    hd_json_end(j);
}
