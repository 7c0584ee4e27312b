/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history.h - the state of an object at any place of an execution.
 *
 * The automata of model/automaton.h begin at the start of an execution.  Feeding an automaton from there for each
 * race would take time proportional to the length of the execution.  So the events of each object are listed in
 * order, and the state after every gap-th event is kept.  A query costs the logarithm of the length, plus the events
 * since the last kept state.
 *
 * H1  The lists are made on demand, and only for the events that the trace did not share with the one before
 *     (hd_trace.unchanged): a program whose reversals need no state pays nothing.
 * H2  Each entry has a link to the entry before it and one to an entry further back, which its number
 *     determines.  With both links any earlier entry is reached in a logarithmic number of moves (a skew-binary
 *     list).  Entries are only added and removed at the end.
 * H3  There are at least as many entries between two kept states as there are threads, so
 *     the states take no more memory than the entries.
 * H4  A process may be killed while it changes the lists.  It leaves `changing` set, and the next process makes the
 *     lists again. */
#ifndef HD_SEARCH_POR_HISTORY_H
#define HD_SEARCH_POR_HISTORY_H

#include "model/automaton.h"
#include "search/por/trace.h"

struct hd_history_entry {
    uint32_t event;
    uint32_t list;     /* index of its list in the table of lists */
    uint32_t previous; /* 1 + the entry before it in the same list; 0: none */
    uint32_t jump;     /* 1 + an earlier entry (H2); 0: none */
    uint32_t number;   /* position in its list, from 1 */
    uint32_t state;    /* 1 + the latest kept state of the list; 0: the initial state */
};

struct hd_history_list {
    uint32_t key;
    uint32_t stamp;
    uint32_t last; /* 1 + its latest entry; 0: none */
};

/* The state that is kept after every gap-th entry of a list. */
struct hd_history_state {
    uint32_t entry;    /* the entry after which this is the state */
    uint32_t previous; /* 1 + the kept state before it in the same list; 0: none */
    uint32_t then;     /* the kept state to compute next */
    bool computed;
};

enum hd_history_of { HD_HISTORY_LOCK, HD_HISTORY_QUEUE };

struct hd_history {
    struct hd_trace *trace;
    uint32_t nevents; /* number of events that are listed */
    uint32_t n;       /* number of entries */
    uint32_t nstates;
    uint32_t least_gap; /* lower limit of `gap`; tests make it small (H3) */
    uint32_t gap;     /* every gap-th entry of a list keeps the state */
    uint32_t stamp;
    bool changing;    /* set while the lists change (H4) */
    struct hd_history_entry *entry;
    struct hd_history_list *list; /* hash table */
    struct hd_history_state *state;
    struct hd_sync_state *sync;   /* state of the object in each kept state */
    uint64_t *value;
    uint32_t *marks;              /* [nstates][2 * nthreads]: marks and tokens of each kept state
                                   * (model/automaton.h) */
    uint64_t work;                /* events fed and entries visited, counted for tests */
};

void hd_history_init(struct hd_history *h, struct hd_trace *t, struct hd_arena *arena);

/* Sets *a to the state of the object before this event of the execution. */
void hd_history_before(struct hd_history *h, enum hd_history_of of, uint32_t obj, uint32_t event,
                       struct hd_automaton *a);

#endif
