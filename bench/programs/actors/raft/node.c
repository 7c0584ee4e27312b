/* SPDX-License-Identifier: BSD-2-Clause
 *
 * node.c - a node: its role, its log, what it answers.  An action is atomic with respect to a crash; a write to the disk that
 * is not finished when a message leaves is a message of the node to itself (sync). */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "raft.h"

HEDDLE_IMPLEMENT(raft, RAFT, node);

/* ---- the network ----------------------------------------------------------------------------------- */

enum fate { DELIVERED, LOST, LATE };

/* What becomes of the next message, as far as the budgets allow a choice. */
static enum fate fate(struct node *n, int has_entries)
{
    enum fate choices[3] = { DELIVERED };
    unsigned count = 1;
    int *losses = has_entries && n->gaps > 0 ? &n->gaps : &n->losses;
    enum fate f;

    if (*losses > 0)
        choices[count++] = LOST;
    if (n->delays > 0)
        choices[count++] = LATE;
    f = choices[heddle_choose(count)];
    *losses -= f == LOST;
    n->delays -= f == LATE;
    return f;
}

/* TRANSMIT(n, to, vote, term, ...): raft_vote to another node. */
#define TRANSMIT(n, to, message, ...) TRANSMIT_AS(fate(n, 0), to, message, __VA_ARGS__)
#define TRANSMIT_AS(fate, to, message, ...)                          \
    do {                                                             \
        switch (fate) {                                              \
        case DELIVERED:                                              \
            raft_##message(peer[to], __VA_ARGS__);                   \
            break;                                                   \
        case LATE:                                                   \
            raft_##message(late[to], __VA_ARGS__);                   \
            break;                                                   \
        case LOST:                                                   \
            break;                                                   \
        }                                                            \
    } while (0)

/* ---- log and state ----------------------------------------------------------------------------------- */

static void persist(struct node *n)
{
    n->disk = n->now;
}

/* An answer leaves after this, if the node does not make the mistake. */
static void persist_before_answer(struct node *n, enum bug late)
{
    if (BUG != late)
        persist(n);
}

static void persist_after_answer(struct node *n, enum bug late)
{
    if (BUG == late)
        raft_sync(peer[n->id]);
}

/* The term of an entry that the log has, or the snapshot ends with. */
static int term_at(const struct node *n, int index)
{
    if (index == n->now.snapshot)
        return n->now.snapshot_term;
    assert(index > n->now.snapshot && index <= n->now.last);
    return n->now.log[index].term;
}

static int matches(const struct node *n, int index, int term)
{
    return index < n->now.snapshot || (index <= n->now.last && term_at(n, index) == term);
}

/* The members, by the last change in the log, whether it is committed or not; *at is its index. */
static unsigned members(const struct node *n, int *at)
{
    for (*at = n->now.last; *at > n->now.snapshot; --*at)
        if (n->now.log[*at].value < 0)
            return (unsigned)-n->now.log[*at].value;
    return n->now.image.members;
}

static int is_member(const struct node *n, int id)
{
    int at;

    return (int)(members(n, &at) >> id & 1);
}

/* Are these nodes more than half of the members? */
static int is_majority(const struct node *n, unsigned nodes)
{
    int at;
    unsigned all = members(n, &at);

    return 2 * __builtin_popcount(nodes & all) > __builtin_popcount(all);
}

static void put(struct node *n, struct entry e)
{
    assert(n->now.last < ENTRIES);
    n->now.log[++n->now.last] = e;
}

static void check_log(const struct node *n)
{
    for (int i = n->now.snapshot; i < n->now.last; i++)
        assert(term_at(n, i) <= term_at(n, i + 1) && "terms do not fall within a log");
}

static void compact(struct node *n)
{
    if (settings.compact == 0 || n->applied - n->now.snapshot < settings.compact)
        return;
    n->now.snapshot_term = term_at(n, n->applied);
    n->now.snapshot = n->applied;
    n->now.image = n->state;
    persist(n);
}

/* The state has reached the entry with this index, whether by applying it or by a snapshot. */
static void record_state(struct node *n, int index)
{
    struct history *h = &n->history;

    if (h->applied[index]) /* before a restart */
        assert(h->after[index].digest == n->state.digest && "a node reaches the same state again");
    h->applied[index] = 1;
    h->after[index] = n->state;
}

static void apply(struct node *n)
{
    assert(n->commit <= n->now.last && "what is committed is in the log");
    while (n->applied < n->commit) {
        int value = n->now.log[++n->applied].value;

        n->state.digest = n->state.digest * 1000003u + (unsigned)value;
        if (value == 1)
            n->state.written = 1;
        if (value < 0)
            n->state.members = (unsigned)-value;
        record_state(n, n->applied);
    }
    compact(n);
}

static void follow(struct node *n, int term)
{
    if (term > n->now.term) {
        n->now.term = term;
        n->now.voted = NOBODY;
    }
    n->role = FOLLOWER;
    n->write_at = n->read_round = 0;
}

/* A response of a newer term ends the role of a candidate or leader.  Returns whether it did. */
static int is_outdated(struct node *n, int term)
{
    if (term <= n->now.term)
        return 0;
    if (BUG == ROLE_KEPT)
        n->now.term = term;
    else
        follow(n, term);
    persist(n);
    return BUG != ROLE_KEPT;
}

/* ---- the leader ------------------------------------------------------------------------------------- */

static void send_snapshot(struct node *n, int to)
{
    struct snapshot s = { .term = n->now.term, .from = n->id, .index = n->now.snapshot,
                          .index_term = n->now.snapshot_term, .image = n->now.image };

    TRANSMIT(n, to, install, s);
}

static void send_entries(struct node *n, int to)
{
    struct append a = { .term = n->now.term, .from = n->id, .previous = n->next[to] - 1, .commit = n->commit, .round = n->round };

    if (a.previous < n->now.snapshot) {
        send_snapshot(n, to);
        return;
    }
    a.previous_term = term_at(n, a.previous);
    while (a.count < settings.batch && a.previous + a.count < n->now.last) {
        a.entries[a.count] = n->now.log[a.previous + 1 + a.count];
        a.count++;
    }
    TRANSMIT_AS(fate(n, 1), to, append, a);
}

static void broadcast(struct node *n)
{
    for (int to = 0; to < settings.nodes; to++)
        if (to != n->id && is_member(n, to))
            send_entries(n, to);
}

/* The nodes that have the entry. */
static unsigned copies(const struct node *n, int index)
{
    unsigned nodes = 0;

    for (int i = 0; i < settings.nodes; i++)
        if (i == n->id || n->match[i] >= index)
            nodes |= 1u << i;
    return nodes;
}

static void record_commit(struct node *n, int from, int to)
{
    for (int i = from; i <= to; i++) {
        n->history.committed[i] = n->now.log[i];
        n->history.committed_in[i] = n->now.term;
    }
}

static void propose(struct node *n, int value)
{
    put(n, (struct entry){ n->now.term, value });
    persist(n);
}

/* The members after the next change that the leader wants; 0: none. */
static unsigned next_members(struct node *n, unsigned now)
{
    int last = settings.nodes - 1;

    if (settings.joins && !(now >> last & 1))
        return now | 1u << last;
    for (int i = 1; i < settings.nodes && n->removes > 0; i++) {
        int id = (n->id + i) % settings.nodes;

        if (now >> id & 1) {
            n->removes--;
            return now & ~(1u << id);
        }
    }
    return 0;
}

/* A leader may change the membership when it has committed an entry of its term and no other change is on the way: sets of
 * members that differ by one node have no majorities without a common node. */
static int change_members(struct node *n)
{
    int at;
    unsigned now = members(n, &at), next;

    if (BUG != TWO_CHANGES && at > n->commit)
        return 0;
    if (BUG != CHANGE_BEFORE_COMMIT && (n->commit == 0 || term_at(n, n->commit) != n->now.term))
        return 0;
    next = next_members(n, now);
    if (next == 0)
        return 0;
    propose(n, -(int)next);
    return 1;
}

/* Commits what most members have.  An entry of an earlier term is committed only by one of this term that follows it.  Returns
 * whether it has told all members. */
static int advance_commit(struct node *n)
{
    for (int i = n->now.last; i > n->commit; i--) {
        if (!is_majority(n, copies(n, i)) || (BUG != COMMIT_OLD_TERM && n->now.log[i].term != n->now.term))
            continue;
        record_commit(n, n->commit + 1, i);
        n->commit = i;
        apply(n);
        if (n->write_at != 0 && n->write_at <= n->commit) {
            n->write_at = 0;
            client_written(reader);
        }
        int changed = change_members(n);

        changed += BUG == TWO_CHANGES && change_members(n);
        if (settings.notify || changed)
            broadcast(n);
        if (changed)
            advance_commit(n); /* it may be the only member that is left */
        return settings.notify || changed;
    }
    return 0;
}

static void propose_write(struct node *n)
{
    if (!n->pending_write)
        return;
    n->pending_write = 0;
    propose(n, 1);
    n->write_at = n->now.last;
}

static void record_election(struct node *n)
{
    struct history *h = &n->history;
    int term = n->now.term;

    assert(term < TERMS && h->led_last[term] < 0 && "a node leads a term once");
    memcpy(h->led[term], n->now.log, sizeof n->now.log);
    h->led_last[term] = n->now.last;
    h->led_from[term] = n->now.snapshot;
}

static void lead(struct node *n)
{
    n->role = LEADER;
    record_election(n);
    for (int i = 0; i < settings.nodes; i++) {
        n->next[i] = n->now.last + 1;
        n->match[i] = n->confirmed[i] = 0;
    }
    n->round = n->read_round = 0;
    if (settings.announce)
        broadcast(n);
    for (int i = 0; i < settings.entries; i++)
        propose(n, 1000 * n->now.term + 10 * n->id + i + 2);
    propose_write(n);
    if (BUG == CHANGE_BEFORE_COMMIT)
        change_members(n);
    broadcast(n);
}

/* A read is answered when the leader has heard from most nodes that it still led after the read had come. */
static void answer_read(struct node *n)
{
    unsigned nodes = 1u << n->id;

    for (int i = 0; i < settings.nodes; i++)
        if (i != n->id && n->confirmed[i] >= n->read_round)
            nodes |= 1u << i;
    if (n->read_round != 0 && is_majority(n, nodes) && n->applied >= n->read_at) {
        n->read_round = 0;
        client_answer(reader, n->state.written);
    }
}

static void node_appended(struct node *n, int term, int from, int matched, int round)
{
    int told;

    if (n->down || is_outdated(n, term) || n->role != LEADER || term != n->now.term)
        return;
    if (matched < 0) {
        if (n->next[from] > n->match[from] + 1)
            n->next[from]--;
        send_entries(n, from);
        return;
    }
    if (round > n->confirmed[from])
        n->confirmed[from] = round;
    if (matched > n->match[from])
        n->match[from] = matched;
    if (matched >= n->next[from])
        n->next[from] = matched + 1;
    told = advance_commit(n);
    answer_read(n);
    if (n->next[from] <= n->now.last && !told && is_member(n, from))
        send_entries(n, from);
}

/* ---- elections ---------------------------------------------------------------------------------------- */

static void count_votes(struct node *n)
{
    if (BUG == HALF_IS_ENOUGH ? __builtin_popcount(n->votes) >= settings.nodes / 2 : is_majority(n, n->votes))
        lead(n);
}

static void stand(struct node *n)
{
    n->role = CANDIDATE;
    n->now.term++;
    n->now.voted = n->id;
    n->votes = 1u << n->id;
    persist(n);
    for (int to = 0; to < settings.nodes; to++)
        if (to != n->id && is_member(n, to))
            TRANSMIT(n, to, request_vote, n->now.term, n->id, n->now.last, term_at(n, n->now.last));
    count_votes(n);
}

static int is_up_to_date(const struct node *n, int last, int last_term)
{
    int own_term = term_at(n, n->now.last);

    if (BUG == NO_RESTRICTION)
        return 1;
    if (BUG == LENGTH_ONLY)
        return last >= n->now.last;
    return last_term > own_term || (last_term == own_term && last >= n->now.last);
}

static void node_request_vote(struct node *n, int term, int from, int last, int last_term)
{
    int granted;

    if (n->down)
        return;
    if (term > n->now.term)
        follow(n, term);
    granted = term == n->now.term && (n->now.voted == NOBODY || n->now.voted == from || BUG == DOUBLE_VOTE) &&
              n->role == FOLLOWER && is_up_to_date(n, last, last_term);
    if (granted)
        n->now.voted = from;
    persist_before_answer(n, VOTE_PERSISTED_LATE);
    TRANSMIT(n, from, vote, n->now.term, n->id, granted);
    persist_after_answer(n, VOTE_PERSISTED_LATE);
}

static void node_vote(struct node *n, int term, int from, int granted)
{
    if (n->down || is_outdated(n, term) || n->role != CANDIDATE || !granted)
        return;
    if (term != n->now.term && BUG != OLD_VOTE_COUNTED)
        return;
    n->votes |= 1u << from;
    count_votes(n);
}

/* ---- the follower -------------------------------------------------------------------------------------- */

/* Accepts the sender as the leader of its term, or returns 0 after a refusal. */
static int accept_leader(struct node *n, int term, int from)
{
    int *seen = n->history.leader_seen;

    if (term < n->now.term) {
        TRANSMIT(n, from, appended, n->now.term, n->id, -1, 0);
        return 0;
    }
    assert(!(n->role == LEADER && term == n->now.term) && "one leader per term");
    assert((seen[term] == NOBODY || seen[term] == from) && "one leader per term");
    seen[term] = from;
    follow(n, term);
    return 1;
}

static void store(struct node *n, const struct append *a)
{
    for (int k = 0; k < a->count; k++) {
        int index = a->previous + 1 + k;

        if (index <= n->now.snapshot || (BUG != ALWAYS_TRUNCATES && index <= n->now.last && matches(n, index, a->entries[k].term)))
            continue;
        if (index <= n->now.last) {
            assert((index > n->commit || matches(n, index, a->entries[k].term)) && "committed entries stay");
            if (BUG == LOST_TRUNCATION) {
                n->now.log[index] = a->entries[k];
                continue;
            }
            n->now.last = index - 1;
        }
        put(n, a->entries[k]);
    }
    check_log(n);
}

static void node_append(struct node *n, struct append a)
{
    int compared = a.previous + a.count;

    if (n->down || !accept_leader(n, a.term, a.from))
        return;
    if (!matches(n, a.previous, a.previous_term)) {
        persist(n);
        TRANSMIT(n, a.from, appended, n->now.term, n->id, -1, a.round);
        return;
    }
    store(n, &a);
    if (BUG != COMMIT_BEYOND_LOG && a.commit > compared)
        a.commit = compared;
    if (a.commit > n->commit)
        n->commit = a.commit;
    persist_before_answer(n, ENTRIES_PERSISTED_LATE);
    apply(n);
    TRANSMIT(n, a.from, appended, n->now.term, n->id, BUG == MATCH_IS_LENGTH ? n->now.last : compared, a.round);
    persist_after_answer(n, ENTRIES_PERSISTED_LATE);
}

/* The snapshot becomes the beginning of the log. */
static void adopt(struct node *n, const struct snapshot *s)
{
    if (!matches(n, s->index, s->index_term) && (BUG != SNAPSHOT_KEEPS_CONFLICT || s->index > n->now.last))
        n->now.last = s->index;
    if (BUG == SNAPSHOT_OVER_NEWER && s->index < n->now.snapshot)
        n->now.last = s->index;
    n->now.snapshot = s->index;
    n->now.snapshot_term = s->index_term;
    n->now.image = n->state = s->image;
    assert(s->index >= n->applied && "a state does not go back");
    n->commit = n->applied = s->index;
    record_state(n, s->index);
    check_log(n);
}

static void node_install(struct node *n, struct snapshot s)
{
    if (n->down || !accept_leader(n, s.term, s.from))
        return;
    if (s.index > n->commit || BUG == SNAPSHOT_OVER_NEWER)
        adopt(n, &s);
    persist(n);
    TRANSMIT(n, s.from, appended, n->now.term, n->id, s.index, 0);
}

/* ---- clock, crash and client --------------------------------------------------------------------------- */

static void node_tick(struct node *n)
{
    if (n->down)
        return;
    if (n->role == LEADER)
        broadcast(n);
    else if (is_member(n, n->id))
        stand(n);
}

static void node_crash(struct node *n)
{
    n->down = 1;
}

static void node_restart(struct node *n)
{
    n->down = 0;
    n->now = n->disk;
    n->role = FOLLOWER;
    n->commit = n->applied = n->now.snapshot;
    n->state = BUG == SNAPSHOT_STATE_LOST ? (struct machine){ 0 } : n->now.image;
    n->pending_write = n->write_at = n->read_round = 0;
}

static void node_sync(struct node *n)
{
    if (!n->down)
        persist(n);
}

static void node_write(struct node *n)
{
    if (n->down)
        return;
    n->pending_write = 1; /* for the time when it leads */
    if (n->role == LEADER) {
        propose_write(n);
        broadcast(n);
    }
}

static void node_read(struct node *n)
{
    if (n->down || n->role != LEADER)
        return;
    if (BUG == STALE_READ) {
        client_answer(reader, n->state.written);
        return;
    }
    /* Entries before the leader's first own one may be committed without its knowledge. */
    n->read_at = n->now.last;
    n->read_round = ++n->round;
    broadcast(n);
}

void node_new(struct node *n, int id)
{
    static const char *const names[NODES] = { "node 0", "node 1", "node 2", "node 3" };
    heddle_actor_options o = { .name = names[id] };

    memset(n, 0, sizeof *n);
    n->id = id;
    n->losses = settings.losses[id];
    n->gaps = settings.gaps[id];
    n->delays = settings.delays[id];
    n->removes = settings.removes[id];
    n->state.members = (1u << (settings.nodes - settings.joins)) - 1;
    n->now.image = n->disk.image = n->state;
    n->now.voted = n->disk.voted = NOBODY;
    for (int t = 0; t < TERMS; t++)
        n->history.led_last[t] = n->history.leader_seen[t] = NOBODY;
    peer[id] = node_create_with(n, &o);
}
