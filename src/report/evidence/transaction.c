/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transaction.c - texts for transactions. */
#include "report/evidence/transaction.h"

#include <stdio.h>
#include <string.h>

/* Bits of the status of an abort; bits 24 to 31: the operand of xabort. */
static const struct bit {
    unsigned mask;
    const char *word;
} bits[] = { { 1, "explicit" }, { 2, "retry" }, { 4, "conflict" }, { 8, "capacity" }, { 32, "nested" } };

/* Writes the status: "retry", "explicit 255 nested", "status 0". */
static void status_text(uint64_t status, char *buf, size_t cap)
{
    size_t n = 0;

    snprintf(buf, cap, "status 0");
    for (size_t i = 0; i < sizeof bits / sizeof *bits && n < cap; i++) {
        if (!(status & bits[i].mask))
            continue;
        n += (size_t)snprintf(buf + n, cap - n, "%s%s", n > 0 ? " " : "", bits[i].word);
        if (bits[i].mask == 1 && n < cap)
            n += (size_t)snprintf(buf + n, cap - n, " %u", (unsigned)(status >> 24));
    }
}

bool hd_transaction_is_silent(const struct hd_event *e)
{
    return (e->kind == HD_EV_TX_OUTCOME || e->kind == HD_EV_TX_CONFLICT) && e->value == 0;
}

/* Returns the event that may have caused the conflict: obj2 is its distance. */
static const struct hd_event *cause_of(const struct hd_report *r, const struct hd_event *e)
{
    uint32_t i = (uint32_t)(e - r->events);

    return e >= r->events && i < r->nevents && e->obj2 != 0 && e->obj2 <= i ? e - e->obj2 : NULL;
}

static void conflict_parts(const struct hd_report *r, const struct hd_event *e, struct hd_operation *o)
{
    const struct hd_event *cause = cause_of(r, e);
    char operation[200];

    if (e->value == 0) {
        snprintf(o->verb, sizeof o->verb, "transaction: no conflict");
        return;
    }
    snprintf(o->verb, sizeof o->verb, "transaction aborted");
    if (cause == NULL)
        return;
    hd_describe_operation(r, cause, operation, sizeof operation);
    snprintf(o->object, sizeof o->object, "by T%u's %s", cause->tid, operation);
}

bool hd_transaction_parts(const struct hd_report *r, const struct hd_event *e, bool pending, struct hd_operation *o)
{
    char status[48];

    if (pending)
        return false;
    if (e->kind == HD_EV_TX_CONFLICT) {
        conflict_parts(r, e, o);
    } else if (e->kind == HD_EV_TX_OUTCOME) {
        snprintf(o->verb, sizeof o->verb, e->value == 0 ? "transaction: not aborted" : "transaction aborted");
        snprintf(o->value, sizeof o->value, "%s", e->value == 0 ? "" : e->value == 1 ? " (retry)" : " (status 0)");
    } else if (e->kind == HD_EV_TX_END && e->flags & HD_EVF_FAILED) {
        status_text(e->value, status, sizeof status);
        snprintf(o->verb, sizeof o->verb, "transaction aborted");
        snprintf(o->value, sizeof o->value, " (%s)", status);
    } else if (e->kind == HD_EV_TX_BEGIN) {
        snprintf(o->verb, sizeof o->verb, "transaction begin");
    } else {
        return false;
    }
    return true;
}
