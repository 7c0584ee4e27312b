/* SPDX-License-Identifier: BSD-2-Clause
 *
 * raft.h - Raft (D. Ongaro, J. Ousterhout, In Search of an Understandable Consensus Algorithm, 2014) as actors: election,
 * log replication, snapshots, reads of the leader, changes of the membership by one node at a time (D. Ongaro, Consensus: Bridging
 * Theory and Practice, 2014, chapter 4); with crashes and restarts, and messages that are lost or late.
 *
 * -DBUG=n builds one of the mistakes below; without it the program is correct. */
#ifndef RAFT_H
#define RAFT_H

#include <heddle/actor.h>

enum bug {
    NONE,
    VOTE_PERSISTED_LATE,     /* a node answers before its vote is on the disk: a crash makes it forget */
    COMMIT_OLD_TERM,         /* a leader counts the copies of entries of earlier terms (figure 8 of the paper) */
    STALE_READ,              /* a leader answers a read without asking whether it still is the leader */
    LOST_TRUNCATION,         /* a conflicting entry is replaced, what follows it stays */
    DOUBLE_VOTE,             /* a node gives its vote in a term to all who ask */
    LENGTH_ONLY,             /* the longer log counts as newer, whatever its last term is */
    COMMIT_BEYOND_LOG,       /* a follower takes the leader's commit index as it is */
    HALF_IS_ENOUGH,          /* a candidate with half of the votes, rounded down, leads */
    ROLE_KEPT,               /* a response with a newer term changes the term and not the role */
    NO_RESTRICTION,          /* votes do not depend on logs */
    OLD_VOTE_COUNTED,        /* a vote of an earlier term counts */
    ENTRIES_PERSISTED_LATE,  /* a follower answers before the entries are on its disk */
    MATCH_IS_LENGTH,         /* a follower reports the end of its log, not of what it has compared */
    ALWAYS_TRUNCATES,        /* a late message cuts off entries that came after it */
    SNAPSHOT_OVER_NEWER,     /* a late snapshot replaces a newer state */
    SNAPSHOT_KEEPS_CONFLICT, /* entries after a snapshot stay though their history is another one */
    SNAPSHOT_STATE_LOST,     /* after a restart the state does not begin with that of the snapshot */
    CHANGE_BEFORE_COMMIT,    /* a leader changes the membership before it has committed an entry of its term */
    TWO_CHANGES,             /* a leader changes the membership again before the first change is committed */
    BUGS
};
#ifndef BUG
#define BUG NONE
#endif

enum { NODES = 4, ENTRIES = 15, BATCH = 4, TERMS = 24, NOBODY = -1 };

struct entry {
    int term, value; /* below 0: from here on these are the members, as a set of bits, negated */
};

/* The replicated state: a number that depends on all values and their order, the last value that the client has written, and
 * the members of the cluster. */
struct machine {
    unsigned digest;
    int written;
    unsigned members; /* one bit per node */
};

/* What survives a crash.  log[0] is not used; entries up to `snapshot` are gone, their effect is in `image`. */
struct disk {
    int term, voted, last;
    struct entry log[ENTRIES + 1];
    int snapshot, snapshot_term;
    struct machine image;
};

struct append {
    int term, from, previous, previous_term, commit, round, count;
    struct entry entries[BATCH];
};

struct snapshot {
    int term, from, index, index_term;
    struct machine image;
};

#define CLIENT(I, MESSAGE, REQUEST)   \
    MESSAGE(I, begin)                 \
    MESSAGE(I, written)               \
    MESSAGE(I, answer, (int, value))
HEDDLE_INTERFACE(client, CLIENT);

#define RAFT(I, MESSAGE, REQUEST)                                                        \
    MESSAGE(I, tick)                                                                     \
    MESSAGE(I, crash)                                                                    \
    MESSAGE(I, restart)                                                                  \
    MESSAGE(I, sync)                                                                     \
    MESSAGE(I, request_vote, (int, term), (int, from), (int, last), (int, last_term))    \
    MESSAGE(I, vote, (int, term), (int, from), (int, granted))                           \
    MESSAGE(I, append, (struct append, a))                                               \
    MESSAGE(I, appended, (int, term), (int, from), (int, matched), (int, round))         \
    MESSAGE(I, install, (struct snapshot, s))                                            \
    MESSAGE(I, write)                                                                    \
    MESSAGE(I, read)
HEDDLE_INTERFACE(raft, RAFT);

/* How much happens in an execution; see main.c. */
struct settings {
    int nodes;
    int ticks[NODES];   /* how often the clock of a node rings: a follower then stands for election, a leader repeats itself */
    int crashes[NODES];
    int losses[NODES];  /* messages of this node that may be lost, */
    int gaps[NODES];    /* of which these are messages with entries, */
    int delays[NODES];  /* and messages that may arrive later than others */
    int entries;        /* that a new leader proposes */
    int batch;          /* entries in a message */
    int compact;        /* applied entries after which a node makes a snapshot; 0: never */
    int client;         /* writes once and then reads */
    int notify;         /* a leader tells the others at once that it has committed, */
    int announce;       /* and that it leads, before it proposes anything */
    int removes[NODES]; /* members that this node removes when it leads, the next higher one first */
    int joins;          /* the last node is no member at first; a leader adds it */
};

/* What happened at a node, for the comparison at the end.  A crash does not touch it. */
struct history {
    struct entry led[TERMS][ENTRIES + 1]; /* by term: its log when it became leader */
    int led_last[TERMS], led_from[TERMS]; /* led_last is -1 in terms that it did not lead */
    int leader_seen[TERMS];               /* whose messages it has accepted */
    struct entry committed[ENTRIES + 1];  /* as a leader */
    int committed_in[ENTRIES + 1];        /* in which term it led; 0: never */
    int applied[ENTRIES + 1];
    struct machine after[ENTRIES + 1];    /* the state after each entry that it has applied, or got in a snapshot */
};

enum role { FOLLOWER, CANDIDATE, LEADER };

struct node {
    int id, down;
    int losses, gaps, delays, removes; /* what is left of them */
    enum role role;
    struct disk disk, now; /* `now` is the state that it works with */
    int commit, applied;
    struct machine state;
    unsigned votes; /* one bit per node */
    int next[NODES], match[NODES];
    int pending_write, write_at; /* the client's write: not proposed yet; its index */
    int round, confirmed[NODES], read_round, read_at;
    struct history history;
};

extern struct settings settings;
extern raft peer[NODES];
extern raft late[NODES]; /* passes messages on to a node, at any later time */
extern client reader;

/* Makes the node and enters it in `peer`. */
void node_new(struct node *n, int id);
/* Makes the actors that pass late messages on, and those that let clocks ring and nodes crash.  After all nodes. */
void world_new(void);
/* Compares the histories.  Ends the program if an invariant of Raft does not hold. */
void check_invariants(const struct node *nodes);

#endif
