/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sections.h - the critical sections of an execution, and whether lazy reduction may rely
 * on them (see lazy.c).
 *
 * A mutex is lazy as long as threads only lock it, unlock it and wait with it.  After a
 * trylock, a timed lock or a destroy it is ordinary for the rest of the campaign: the set
 * of ordinary mutexes only grows. */
#ifndef HD_SEARCH_POR_SECTIONS_H
#define HD_SEARCH_POR_SECTIONS_H

#include "model/campaign.h"
#include "model/learnt.h"
#include "search/por/reversal.h"

#define HD_SECTIONS_OBJECTS (1u << 20) /* objects with larger numbers are ordinary */

/* The section that a step begins. */
struct hd_section {
    uint32_t mutex;    /* 0: the step locks nothing */
    uint32_t previous; /* step that began the previous section of the mutex; HD_NO_STEP: none */
    uint32_t release;  /* step that ended the section; HD_NO_STEP: the section is open */
};

struct hd_sections {
    struct hd_learnt *learnt;   /* facts shared by several workers; NULL: there is one worker */
    uint64_t *ordinary;         /* [HD_SECTIONS_OBJECTS]: one bit per object; used only if there is one worker */
    uint32_t nordinary;         /* at least the number of bits set */
    struct hd_section *begun;   /* [HD_TRACE_STEPS]: the section that each step begins */
    struct hd_section_last *last; /* [HD_SECTIONS_OBJECTS]: the latest section of each mutex */
    uint32_t stamp;
};

void hd_sections_init(struct hd_sections *c, struct hd_arena *arena, struct hd_learnt *learnt);

/* Returns the lazy mutex that the event operates on; 0 if there is none. */
uint32_t hd_sections_lazy(const struct hd_sections *c, const struct hd_event *e);

/* Marks the mutexes as ordinary that this execution shows to be so. Returns true if there is a new one. */
bool hd_sections_learn(struct hd_sections *c, const struct hd_execution *done);

/* Finds the sections of the trace.  Returns HD_FALLBACK_NONE if they are reliable: each one runs from its lock
 * to its unlock without an operation that may block, and none is open at the end (unless the execution was
 * cut).  Otherwise returns the reason why not. */
enum hd_fallback hd_sections_find(struct hd_sections *c, const struct hd_trace *t);

/* The racer shall run before step e.  To get there, it may need a mutex that is held just before e and that is
 * released only by a step that happens after e.  Returns the step that began that section: the racer must run
 * before it.  HD_NO_STEP: there is no such section. */
uint32_t hd_sections_in_the_way(const struct hd_sections *c, const struct hd_trace *t, uint32_t e,
                                const struct hd_racer *racer);

#endif
