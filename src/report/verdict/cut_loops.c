/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cut_loops.c - text about loops that were cut.  See cut_loops.h. */
#include "report/verdict/cut_loops.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 4 }; /* maximum number of loops named per number of rounds */

struct words {
    char *buf;
    size_t cap;
};

static void add(struct words *w, const char *before, const char *what)
{
    size_t used = strlen(w->buf);

    snprintf(w->buf + used, w->cap - used, "%s%s", before, what);
}

/* Returns the smallest number of rounds greater than `above`; 0 if there is none. */
static uint32_t next_number(const struct hd_result *r, uint32_t above)
{
    uint32_t next = 0;

    for (uint32_t i = 0; i < r->nloops; i++)
        if (r->loop_rounds[i] > above && (next == 0 || r->loop_rounds[i] < next))
            next = r->loop_rounds[i];
    return next;
}

static uint32_t count(const struct hd_result *r, uint32_t rounds)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->nloops; i++)
        n += r->loop_rounds[i] == rounds;
    return n;
}

static void add_places(struct words *w, const struct hd_result *r, uint32_t rounds)
{
    uint32_t n = count(r, rounds), said = 0;

    add(w, " of the loop", n == 1 ? " at " : "s at ");
    for (uint32_t i = 0; i < r->nloops && said < NAMED; i++)
        if (r->loop_rounds[i] == rounds) {
            add(w, said == 0 ? "" : said + 1 == n ? " and " : ", ", r->loops[i]);
            said++;
        }
    if (said < n)
        add(w, " and elsewhere", "");
}

bool hd_cut_loops_text(const struct hd_result *r, char *buf, size_t cap)
{
    struct words w = { buf, cap };
    char number[48];

    buf[0] = '\0';
    if (r->totals.loop_cuts == 0) /* loops may have been cut in discarded executions only */
        return false;
    for (uint32_t rounds = next_number(r, 0); rounds != 0; rounds = next_number(r, rounds)) {
        snprintf(number, sizeof number, "%u%s round%s", rounds,
                 rounds <= r->config->loop_bound ? " idle" : "", rounds == 1 ? "" : "s");
        add(&w, buf[0] == '\0' ? "" : ", and ", rounds == HD_MANY_ROUNDS ? "many rounds" : number);
        add_places(&w, r, rounds);
    }
    return buf[0] != '\0';
}
