/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.c - see state.h. */
#include "serve/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Texts for the outcomes of finished campaigns (store/commits.c, campaign/spread). */
static const struct {
    const char *outcome, *word, *mark;
} ends[] = {
    { "complete", "complete", "" },
    { "found", "ended by a finding", "bad" },
    { "budget", "budget used up", "" },
};

static void name_end(const struct hd_view_campaign *c, struct hd_state *s)
{
    s->word = strncmp(c->outcome, "refused", 7) == 0 ? "refused" : "done";
    s->mark = strncmp(c->outcome, "refused", 7) == 0 ? "warn" : "";
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(c->outcome, ends[i].outcome) == 0) {
            s->word = ends[i].word;
            s->mark = ends[i].mark;
        }
    if (c->kind == HD_CLUSTER_INDEX && strcmp(c->outcome, "complete") == 0)
        s->word = "done"; /* all executions were made, which does not make a sample complete */
    if (c->verdict != NULL && strcmp(c->verdict, "clean") == 0)
        s->mark = "good";
    else if (c->findings > 0)
        s->mark = "bad";
}

static void name_state(const struct hd_view_campaign *c, struct hd_state *s)
{
    s->open = strcmp(c->state, "open") == 0;
    if (!s->open && strcmp(c->state, "done") == 0) {
        name_end(c, s);
    } else if (!s->open) {
        s->word = "stopped";
        s->mark = "warn";
    } else {
        s->word = c->alive > 0 ? "running" : "waiting for workers";
        s->mark = c->alive > 0 ? "busy" : "warn";
    }
}

/* Computes how far the campaign is. A limit of time or executions gives the size of the whole; the size of a tree is
 * unknown until it is finished. */
static void measure(const struct hd_view_campaign *c, struct hd_state *s)
{
    double end = s->open ? fmax(c->now, c->last) : c->last;

    s->elapsed = c->first > 0 && end > c->first ? end - c->first : 0;
    s->rate = s->elapsed > 0 ? (double)c->executions / s->elapsed : 0;
    s->done = s->left = s->budget = -1;
    if (c->deadline > c->created && c->created > 0)
        s->budget = fmin(fmax((end - c->created) / (c->deadline - c->created), 0), 1);
    if (!s->open && strcmp(c->outcome, "complete") == 0)
        s->done = 1;
    else if (c->kind == HD_CLUSTER_INDEX && c->limit > 0)
        s->done = fmin((double)c->executions / (double)c->limit, 1);
    if (s->open && s->done >= 0 && s->rate > 0)
        s->left = ((double)c->limit - (double)c->executions) / s->rate;
    if (s->left < 0)
        s->left = -1;
    if (s->open && s->budget >= 0 && (s->left < 0 || s->left > c->deadline - c->now))
        s->left = fmax(c->deadline - c->now, 0);
}

void hd_state_of(const struct hd_view_campaign *c, struct hd_state *out)
{
    *out = (struct hd_state){ .word = "" };
    name_state(c, out);
    measure(c, out);
}

bool hd_spec_value(const char *spec, const char *name, char *buf, size_t cap)
{
    size_t n = strlen(name);

    for (const char *line = spec; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
        if (strncmp(line, name, n) != 0 || line[n] != '\t')
            continue;
        snprintf(buf, cap, "%.*s", (int)strcspn(line + n + 1, "\n"), line + n + 1);
        return true;
    }
    return false;
}
