/* SPDX-License-Identifier: BSD-2-Clause
 *
 * accesses.c - reads the log of plain accesses. */
#include "report/evidence/accesses.h"

uint32_t hd_accesses_count(const struct hd_report *r)
{
    uint64_t n = r->witness != NULL ? r->witness->naccesses : 0;

    return n < HD_LOGGED_ACCESSES ? (uint32_t)n : HD_LOGGED_ACCESSES;
}

const struct hd_plain_access *hd_accesses_at(const struct hd_report *r, uint32_t i)
{
    uint64_t first = r->witness->naccesses - hd_accesses_count(r);

    return &r->witness->access[(first + i) % HD_LOGGED_ACCESSES];
}

uint32_t hd_accesses_from(const struct hd_report *r, uint32_t position)
{
    uint32_t low = 0, high = hd_accesses_count(r);

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (hd_accesses_at(r, middle)->position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct hd_plain_access *hd_accesses_of_event(const struct hd_report *r, const struct hd_event *e)
{
    uint32_t n = hd_accesses_count(r);

    if (n == 0 || e < r->events || e >= r->events + r->nevents ||
        (e->kind != HD_EV_PLAIN_READ && e->kind != HD_EV_PLAIN_WRITE))
        return NULL;
    uint32_t position = (uint32_t)(e - r->events) + 1;

    for (uint32_t i = hd_accesses_from(r, position); i < n && hd_accesses_at(r, i)->position == position; i++) {
        const struct hd_plain_access *a = hd_accesses_at(r, i);

        if (a->tid == e->tid && a->pc == e->pc)
            return a;
    }
    return NULL;
}

uint64_t hd_accesses_place(const struct hd_report *r, const struct hd_plain_access *a)
{
    if (hd_symbols_is_own(r->symbols, a->pc))
        return a->pc;
    for (unsigned i = 0; i < sizeof a->calls / sizeof *a->calls && a->calls[i] != 0; i++)
        if (hd_symbols_is_own(r->symbols, a->calls[i]))
            return a->calls[i];
    return a->pc;
}
