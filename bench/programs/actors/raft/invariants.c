/* SPDX-License-Identifier: BSD-2-Clause
 *
 * invariants.c - the properties of figure 3 of the Raft paper; the fifth, that a leader only appends, holds by construction.  Every
 * node notes what happens to it at an election, a commit and an apply; the notes are compared at the end.  A global table would be
 * shared memory, whose order a search would have to explore.  None of the properties depends on when it is looked at: a note
 * is never taken back. */
#include <assert.h>

#include "raft.h"

/* Election safety: at most one leader in a term. */
static void one_leader(const struct node *a, const struct node *b)
{
    for (int t = 0; t < TERMS; t++)
        assert(!(a->history.led_last[t] >= 0 && b->history.led_last[t] >= 0) && "election safety: one leader per term");
}

/* Log matching: two logs that have an entry with the same index and term are the same up to it. */
static void same_prefix(const struct entry *a, int first_a, int last_a, const struct entry *b, int first_b, int last_b)
{
    int first = first_a > first_b ? first_a : first_b, last = last_a < last_b ? last_a : last_b, agree = 0;

    for (int i = last; i > first; i--) {
        if (a[i].term == b[i].term)
            agree = 1;
        if (agree)
            assert(a[i].term == b[i].term && a[i].value == b[i].value && "log matching");
    }
}

static void logs_match(const struct node *a, const struct node *b)
{
    same_prefix(a->now.log, a->now.snapshot, a->now.last, b->now.log, b->now.snapshot, b->now.last);
    for (int t = 0; t < TERMS; t++)
        if (a->history.led_last[t] >= 0)
            same_prefix(a->history.led[t], a->history.led_from[t], a->history.led_last[t], b->now.log, b->now.snapshot, b->now.last);
}

/* Leader completeness: what leader a has committed is in the log of each leader b of a later term. */
static void leader_has_committed(const struct node *a, const struct node *b)
{
    for (int i = 1; i <= ENTRIES; i++) {
        int since = a->history.committed_in[i];

        if (since == 0)
            continue;
        for (int t = since + 1; t < TERMS; t++) {
            if (b->history.led_last[t] < 0 || i <= b->history.led_from[t])
                continue;
            assert(i <= b->history.led_last[t] && "leader completeness");
            assert(b->history.led[t][i].term == a->history.committed[i].term && "leader completeness");
        }
    }
}

/* State machine safety: after the same number of entries, the same state. */
static void same_states(const struct node *a, const struct node *b)
{
    for (int i = 1; i <= ENTRIES; i++)
        if (a->history.applied[i] && b->history.applied[i])
            assert(a->history.after[i].digest == b->history.after[i].digest && "state machine safety");
}

void check_invariants(const struct node *nodes)
{
    for (int a = 0; a < settings.nodes; a++)
        for (int b = 0; b < settings.nodes; b++) {
            leader_has_committed(&nodes[a], &nodes[b]);
            if (a == b)
                continue;
            one_leader(&nodes[a], &nodes[b]);
            logs_match(&nodes[a], &nodes[b]);
            same_states(&nodes[a], &nodes[b]);
        }
}
