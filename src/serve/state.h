/* SPDX-License-Identifier: BSD-2-Clause
 *
 * state.h - the state of a campaign, as its page and its JSON show it. */
#ifndef HD_SERVE_STATE_H
#define HD_SERVE_STATE_H

#include <stdbool.h>

#include "store/view.h"

struct hd_state {
    const char *word;  /* "running", "waiting for workers", "complete" ... */
    const char *mark;  /* its colour: "good", "bad", "warn", "busy", "" */
    bool open;
    double elapsed;    /* seconds from the first to the last execution, or until now if the campaign is open */
    double rate;       /* executions per second */
    double done;       /* finished part, from 0 to 1; negative: unknown */
    double left;       /* estimated seconds for the rest at this rate; negative: unknown */
    double budget;     /* used part of the time budget, from 0 to 1; negative: there is no time budget */
};

void hd_state_of(const struct hd_view_campaign *c, struct hd_state *out);

/* Reads one line of the campaign's specification by its name, such as "strategy".  Returns false if there is none. */
bool hd_spec_value(const char *spec, const char *name, char *buf, size_t cap);

#endif
