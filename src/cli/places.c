/* SPDX-License-Identifier: BSD-2-Clause
 *
 * places.c - places in the program that its verdict names, from the wires of all
 * workers: atomics that are weaker than sequentially consistent, and assumptions that
 * no execution passed. */
#include "cli/session.h"

#include <string.h>

/* Several operations of one line are one place. */
static void note_weak(struct hd_session *s, const char *site)
{
    for (uint32_t i = 0; i < s->nweak; i++)
        if (strcmp(s->weak[i], site) == 0)
            return;
    if (s->nweak < HD_MAX_WEAK)
        s->weak[s->nweak++] = site;
}

static void gather_weak(struct hd_session *s)
{
    s->nweak = 0;
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];

        for (uint32_t i = 0; i < w->nweak && i < HD_MAX_WEAK; i++)
            note_weak(s, hd_symbols_site(hd_session_symbols_from(s, w), w->weak[i]));
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

static bool is_noted(const struct hd_session *s, const char *where)
{
    for (uint32_t i = 0; i < s->nvain; i++)
        if (strcmp(s->vain[i], where) == 0)
            return true;
    return false;
}

static void gather_vain(struct hd_session *s)
{
    s->nvain = 0;
    for (uint32_t k = 0; k < s->wires.n; k++) {
        const struct hd_wire *w = s->wires.wire[k];

        for (uint32_t i = 0; i < w->nassumptions && i < HD_MAX_ASSUMPTIONS; i++)
            if (s->nvain < HD_MAX_ASSUMPTIONS && !was_passed(s, w->assumptions[i].where) &&
                !is_noted(s, w->assumptions[i].where))
                s->vain[s->nvain++] = w->assumptions[i].where;
    }
}

void hd_session_places(struct hd_session *s)
{
    gather_weak(s);
    gather_vain(s);
}
