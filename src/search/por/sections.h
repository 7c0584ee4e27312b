/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sections.h - the critical sections of an execution, and whether lazy reduction may
 * trust them (see lazy.c).
 *
 * A mutex is lazy when it only ever was locked, unlocked and waited with.  One that was
 * tried, locked with a time limit or destroyed is ordinary for the rest of the
 * campaign: the set of those only grows. */
#ifndef HD_SEARCH_POR_SECTIONS_H
#define HD_SEARCH_POR_SECTIONS_H

#include "model/campaign.h"
#include "search/por/reversal.h"

#define HD_SECTIONS_OBJECTS (1u << 20) /* one with a larger number is ordinary */

/* Of a step that begins one. */
struct hd_section {
    uint32_t mutex;    /* 0: the step locks nothing */
    uint32_t previous; /* step that began the mutex's section before; HD_NO_STEP */
    uint32_t release;  /* step that ended it; HD_NO_STEP: it is open */
};

struct hd_sections {
    uint64_t *ordinary;         /* bits by object [HD_SECTIONS_OBJECTS] */
    uint32_t nordinary;         /* how many, at least */
    struct hd_section *begun;   /* by step [HD_TRACE_STEPS] */
    struct hd_section_last *last; /* by object [HD_SECTIONS_OBJECTS] */
    uint32_t stamp;
};

void hd_sections_init(struct hd_sections *c, struct hd_arena *arena);

/* The lazy mutex that the event is about; 0 none. */
uint32_t hd_sections_lazy(const struct hd_sections *c, const struct hd_event *e);

/* Note mutexes that are not lazy. */
void hd_sections_learn(struct hd_sections *c, const struct hd_execution *done);

/* Fill `begun` for the trace.  Sections can be trusted when each runs
 * from its lock to its unlock without anything that may block, and none is open at the
 * end (unless the execution was cut): else the reason why not. */
enum hd_fallback hd_sections_find(struct hd_sections *c, const struct hd_trace *t);

/* The racer is to run before step e.  On its way there it may need a mutex that is held
 * just before e and given back only by steps that happen after e: the step that began
 * that section, before which the racer must run then.  HD_NO_STEP: none. */
uint32_t hd_sections_in_the_way(const struct hd_sections *c, const struct hd_trace *t, uint32_t e,
                                const struct hd_racer *racer);

#endif
