/* SPDX-License-Identifier: BSD-2-Clause
 *
 * made.h - findings that tests construct by hand, on a wire without modules, so that nothing depends on a compiler;
 * and checks of their reports. */
#ifndef HD_TESTS_SUPPORT_MADE_H
#define HD_TESTS_SUPPORT_MADE_H

#include "support/unit.h"

#include "report/evidence/describe.h"
#include "report/print/text.h"

struct made {
    struct hd_wire *wire;
    struct hd_symbols *symbols;
    struct hd_finding head;
    struct hd_event events[400];
    struct hd_decision decisions[400];
    struct hd_thread_info threads[8];
    struct hd_event pending[8];
    struct hd_hold holds[8];
    struct hd_stand stands[8];
    struct hd_report report;
};

struct made *make(uint32_t kind, hd_tid tid, unsigned nthreads);
void unmake(struct made *m);

/* One more object; its number. */
uint32_t object(struct made *m, enum hd_object_type type, uint64_t addr);

/* Adds an event, and a decision if the event is a scheduling point. */
void event(struct made *m, hd_tid tid, enum hd_kind kind, uint32_t obj, unsigned flags,
           uint64_t value);

/* Returns the printed text, valid until the next call. */
char *rendered(void (*render)(const struct hd_text *, const struct hd_report *), struct made *m);

/* The whole report. */
void whole(const struct hd_text *t, const struct hd_report *r);

void want_line(const char *text, const char *line);
void want_width(const char *text);
unsigned count_lines(const char *text);

#endif
