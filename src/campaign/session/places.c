/* SPDX-License-Identifier: BSD-2-Clause
 *
 * places.c - collects places in the program that the verdict names, from the wires of all workers:
 * atomics weaker than seq_cst, polling loops that were cut, the place of most steps of a long execution,
 * assumptions that no execution satisfied, and transactions that were never aborted. */
#include "campaign/session/places.h"

#include <string.h>

#include "campaign/session/session.h"

/* Adds a place to the list.  Several operations on one line are one place.  Returns its index, or
 * max if the list is full or the place is unknown. */
static uint32_t note_place(const char **list, uint32_t *n, uint32_t max, const char *site)
{
    if (site[0] == '\0')
        return max;
    for (uint32_t i = 0; i < *n; i++)
        if (strcmp(list[i], site) == 0)
            return i;
    if (*n == max)
        return max;
    list[*n] = site;
    return (*n)++;
}

/* Adds a loop that was cut.  If it was cut after different numbers of rounds, the smallest number
 * counts, because it is the weakest claim. */
static void note_loop(struct hd_places *p, const char *site, uint32_t rounds)
{
    uint32_t before = p->nloops;
    uint32_t i = note_place(p->loops, &p->nloops, HD_MAX_LOOPS, site);

    if (i < HD_MAX_LOOPS && (i == before || rounds < p->loop_rounds[i]))
        p->loop_rounds[i] = rounds;
}

/* Collects places of weak atomics.  own: in the user's code; otherwise in headers of the compiler
 * and the libraries. */
static void gather_weak(struct hd_session *s, bool own)
{
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];
        struct hd_symbols *symbols = hd_session_symbols_from(s, w);

        for (uint32_t i = 0; i < w->nweak && i < HD_MAX_WEAK; i++)
            if (hd_symbols_is_own(symbols, w->weak[i]) == own)
                note_place(s->places.weak, &s->places.nweak, HD_MAX_WEAK, hd_symbols_site(symbols, w->weak[i]));
    }
}

static void gather_loops(struct hd_session *s)
{
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];
        struct hd_symbols *symbols = hd_session_symbols_from(s, w);

        for (uint32_t i = 0; i < w->nloops && i < HD_MAX_LOOPS; i++)
            note_loop(&s->places, hd_symbols_site(symbols, w->loops[i]), w->loop_rounds[i]);
    }
}

/* Finds the longest execution of all workers. */
static void gather_longest(struct hd_session *s)
{
    s->places.longest = (struct hd_result_longest){ .place = "" };
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_longest *l = &s->wires.wire[k]->longest;

        if (l->steps > s->places.longest.steps)
            s->places.longest = (struct hd_result_longest){
                hd_symbols_site(hd_session_symbols_from(s, s->wires.wire[k]), l->pc), l->times, l->steps };
    }
}

static bool was_passed(const struct hd_session *s, const char *where)
{
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];

        for (uint32_t i = 0; i < w->nassumptions && i < HD_MAX_ASSUMPTIONS; i++)
            if (w->assumptions[i].passed && strcmp(w->assumptions[i].where, where) == 0)
                return true;
    }
    return false;
}

static void gather_vain(struct hd_session *s)
{
    s->places.nunsatisfied = 0;
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];

        for (uint32_t i = 0; i < w->nassumptions && i < HD_MAX_ASSUMPTIONS; i++)
            if (!was_passed(s, w->assumptions[i].where))
                note_place(s->places.unsatisfied, &s->places.nunsatisfied, HD_MAX_ASSUMPTIONS, w->assumptions[i].where);
    }
}

static bool was_aborted(struct hd_session *s, const char *site)
{
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];
        struct hd_symbols *symbols = hd_session_symbols_from(s, w);

        for (uint32_t i = 0; i < w->ntx_sites && i < HD_MAX_TX_SITES; i++)
            if (w->tx_sites[i].aborted && strcmp(hd_symbols_site(symbols, w->tx_sites[i].pc), site) == 0)
                return true;
    }
    return false;
}

static void gather_never_aborted(struct hd_session *s)
{
    s->places.nnever_aborted = 0;
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];
        struct hd_symbols *symbols = hd_session_symbols_from(s, w);

        for (uint32_t i = 0; i < w->ntx_sites && i < HD_MAX_TX_SITES; i++) {
            const char *site = hd_symbols_site(symbols, w->tx_sites[i].pc);

            if (!was_aborted(s, site))
                note_place(s->places.never_aborted, &s->places.nnever_aborted, HD_MAX_TX_SITES, site);
        }
    }
}

void hd_places_gather(struct hd_session *s)
{
    s->places.nweak = s->places.nloops = 0;
    gather_weak(s, true); /* first, because a verdict names only the first places */
    gather_weak(s, false);
    gather_loops(s);
    gather_longest(s);
    gather_vain(s);
    gather_never_aborted(s);
}
