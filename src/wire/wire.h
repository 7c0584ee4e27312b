/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wire.h - everything that conductor, zygotes and workers share: one sparse memory file.  Each part
 * is mapped at the same address in every process, so pointers into it are valid everywhere.
 *
 * The file begins with the common part, followed by one wire for each parallel worker (-j).  A
 * worker maps the common part and its own wire, the conductor all of them.
 *
 * Writers:
 *   conductor   config, and the schedule and slots of a replay, before the
 *               target starts; stop, rest and watchdog_kill while it runs; the execution
 *               number and the judgement of a finding once the finding is complete
 *   target      all the rest of its wire
 *   all targets the common part, by single atomic operations
 *
 * W1  A finding is complete before findings_used grows past it.
 * W2  Totals change only by the single store at the end of hd_search_end.
 * W3  A worker may die at any instruction; the zygote continues from the totals.  In the common
 *     part that costs the other workers nothing: at worst a row stays unused. */
#ifndef HD_WIRE_WIRE_H
#define HD_WIRE_WIRE_H

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "linear/book.h"
#include "linear/kept.h"
#include "model/awaits.h"
#include "model/campaign.h"
#include "model/execution.h"
#include "model/fact.h"
#include "model/fault.h"
#include "model/filter.h"
#include "model/finding.h"
#include "model/heap.h"
#include "model/ledger.h"
#include "model/lock.h"
#include "model/locked.h"
#include "model/object.h"
#include "model/plan.h"
#include "model/race.h"
#include "model/reached.h"
#include "model/settings.h"
#include "model/traits.h"
#include "model/unseen.h"

#define HD_WIRE_MAGIC UINT64_C(0x31656c6464656821) /* "!heddle1" */
#define HD_WIRE_VERSION 16
#define HD_WIRE_ADDR UINT64_C(0x200000000000)  /* address of the common part; far from others */
#define HD_WIRE_STRIDE UINT64_C(0x2000000000) /* distance between two parts */
#define HD_WIRE_ENV "HEDDLE_WIRE" /* "descriptor of the memory file:worker" */
#define HD_MAX_WORKERS 64
#define HD_SIGNAL_HANGS SIGXCPU /* sent by the conductor: the worker hangs and must report where */

#define HD_MAX_OBJECTS (1u << 20)
#define HD_OBJECT_INDEX (2 * HD_MAX_OBJECTS)
#define HD_MAX_MODULES 256
#define HD_MAX_SITES 4096
#define HD_MAX_WAITS 64 /* bits of hd_finding.waits */
#define HD_MAX_WEAK HD_LIMIT(256, 2)
#define HD_MAX_ASSUMPTIONS HD_LIMIT(64, 2)
#define HD_MAX_TX_SITES HD_LIMIT(64, 2)
#define HD_MAX_WATCHED 4096
#define HD_RACE_ROWS 8192
#define HD_MAX_RACED 4096
#define HD_EXPECTED_BYTES (1u << 20)
#define HD_MAX_LOOPS HD_LIMIT(64, 2)
#define HD_MANY_ROUNDS UINT32_MAX /* number of rounds of a loop: as many as an execution has room for */
#define HD_MAX_LOOP_BOUND 250
#define HD_MAX_WARNINGS HD_LIMIT(64, 2) /* different ones, per worker */
#define HD_FINDINGS_BYTES (UINT64_C(1) << 30)
#define HD_KEPT_BYTES (UINT64_C(1) << 28)
#define HD_ARENA_BYTES (UINT64_C(1) << 36)

enum hd_isolation { HD_ISO_AUTO, HD_ISO_INPROC, HD_ISO_FORK };
enum hd_races_mode { HD_RACES_OFF, HD_RACES_ON, HD_RACES_PREDICT };

/* Whether there are suppressions, so that the conductor decides which findings count, and whether
 * one of them names a variable (racing arrays have many). */
enum hd_judging { HD_JUDGED_NOT, HD_JUDGED, HD_JUDGED_BY_VARIABLE };

struct hd_config {
    char strategy[64]; /* name, with a reducer: "dfs+cache" */
    char params[128];  /* "k=v,k=v" or empty */
    struct hd_traits traits; /* traits of the strategy with its reducer */
    uint32_t depth;    /* parameter d: bug depth that it looks for; 0: it has none */
    uint32_t tries;    /* parameter tries: how often an order is forced; 0: it has none */
    int64_t bound;     /* -1: none */
    uint64_t seed;
    uint64_t max_executions; /* limit of counted executions; 0: none */
    uint64_t first_index;    /* with by_index: number of executions of the search that this one
                              * continues */
    HD_SETTINGS_EMBEDDED;
    uint32_t leak_expected; /* replay of a leak: blocks that are lost anyway */
    uint64_t leak_site;     /* replay of a leak: their site (struct hd_block_info) */
    uint64_t wanted;        /* occurrence of the one finding that ends the search; 0: any finding */
    uint8_t isolation;     /* enum hd_isolation */
    uint8_t release_rule;  /* enum hd_release_rule, from the standard of the program */
    uint8_t races;         /* enum hd_races_mode: detect data races, and predict them */
    uint8_t keep_going;    /* do not stop at the first finding */
    uint8_t past_races;    /* do not stop at a data race */
    uint8_t replay;        /* one execution of `recorded`, in the zygote itself: no fork */
    uint8_t debug;         /* a replay under a debugger: runtime/core/debug.h */
    uint8_t many;          /* with replay: many executions, by workers, each reported as in a replay */
    uint8_t show_output;   /* replay: keep the captured output of a clean run too */
    uint8_t by_index;      /* the strategy samples: workers share the indices, not a space */
    uint8_t judged;        /* enum hd_judging */
    uint8_t count;         /* bits of enum hd_reached_kind */
    uint32_t worker;       /* number of this wire's worker, from 0 */
    uint32_t nworkers;     /* number of workers */
    struct hd_filters filters; /* addresses are relative to the program's file */
};

/* A heddle_assume of the program. */
struct hd_assumption {
    char where[112]; /* "f.c:12" */
    uint32_t failed;
    uint32_t passed; /* some thread has passed it */
};

/* The begin of a transaction (RTM). */
struct hd_tx_site {
    uint64_t pc;
    uint32_t aborted; /* some thread has run the code after an abort */
};

/* A loaded object of the target, in load order (0 is the program). */
struct hd_module {
    char path[256];
    uint64_t bias;   /* address = bias + address in the file */
    uint64_t lo, hi; /* address range */
    uint8_t build_id[32];
    uint32_t build_id_len;
    uint32_t instrumented; /* imports __tsan_* */
};

/* True if there is a single execution, without a separate worker process. */
static inline bool hd_config_runs_once(const struct hd_config *c)
{
    return c->replay && !c->many;
}

/* True if a worker must wait until the conductor has applied the suppressions.  A replay only
 * distinguishes findings as the search did. */
static inline bool hd_config_awaits_suppression(const struct hd_config *c)
{
    return c->judged && !c->replay;
}

/* True if a finding of that kind ends a search without --keep-going.  If racing accesses are
 * scheduling points, a race does not: the search continues to find its outcome. */
static inline bool hd_config_stops_at(const struct hd_config *c, enum hd_finding_kind kind)
{
    return kind != HD_FK_DATA_RACE || (c->points == HD_POINTS_SYNC && !c->past_races);
}

/* True if an execution with a finding of that kind counts as one that fails. */
static inline bool hd_config_fails_with(const struct hd_config *c, enum hd_finding_kind kind)
{
    return kind != HD_FK_DATA_RACE || c->points == HD_POINTS_SYNC;
}

/* Sections that follow the head of a finding, each aligned to 8 bytes: a struct hd_section, then
 * its payload. */
enum hd_section_type {
    HD_SEC_END,
    HD_SEC_DECISIONS, /* struct hd_decision[count]: the schedule up to the finding */
    HD_SEC_EVENTS,    /* struct hd_event[count], the last HD_EVENTS_KEPT */
    HD_SEC_THREADS,   /* struct hd_thread_info[count] */
    HD_SEC_PENDING,   /* struct hd_event[count], one per thread */
    HD_SEC_CALLS,     /* for thread tid: uint64_t[count], outermost call first (shadow call
                       * stack) */
    HD_SEC_STACK,     /* for thread tid: struct hd_stack_image and its bytes */
    HD_SEC_HOLDS,     /* struct hd_hold[count]: which threads hold which locks */
    HD_SEC_OUTPUT,    /* output of the program, in bytes */
    HD_SEC_SLOTS,     /* struct hd_slot[count] */
    HD_SEC_BLOCK,     /* struct hd_block_info: the heap block of the finding */
    HD_SEC_RACE,      /* data race: struct hd_race_info */
    HD_SEC_CYCLE,     /* livelock: struct hd_cycle_info */
    HD_SEC_POLLED,    /* livelock: struct hd_polled[count] */
    HD_SEC_BLOCKED_STATES,    /* deadlock: struct hd_stand[count], members of the cycle first, in its order */
    HD_SEC_OUTPUT_DIFF, /* wrong output: struct hd_output_diff */
    HD_SEC_LOCKS,     /* lock-order warning: struct hd_lock_step[count] */
    HD_SEC_NAMED_BLOCKS, /* struct hd_named_block[count]: heap blocks that reports have to name */
    HD_SEC_HISTORY,   /* not linearizable: the record of the execution as text (linear/book.h) */
    HD_SEC_TYPES
};

#define HD_EVENTS_KEPT 200000

struct hd_section {
    uint32_t type; /* enum hd_section_type */
    uint32_t tid;
    uint32_t count;
    uint32_t pad;
    uint64_t bytes; /* of payload, without padding */
};

/* Registers and stack memory of a suspended thread, for unwinding with debug information outside of
 * the target. */
struct hd_stack_image {
    uint64_t pc, sp, rbp, rbx, r12, r13, r14, r15;
    uint64_t lo;    /* address of the first byte */
    uint64_t bytes; /* number of bytes that follow */
};

/* A position of a thread: the contents of HD_SEC_CALLS and HD_SEC_STACK for a thread that has since
 * moved on. */
#define HD_CAPTURED_CALLS 256
#define HD_CAPTURED_BYTES 16384
struct hd_capture {
    uint64_t pc;
    uint32_t position; /* number of events before it */
    hd_tid tid;
    uint32_t ncalls;
    uint64_t calls[HD_CAPTURED_CALLS];
    struct hd_stack_image image;
    unsigned char stack[HD_CAPTURED_BYTES]; /* image.bytes are valid */
};

/* A heap block with what a report needs to name it: its allocation, and words that point into it. */
#define HD_BLOCK_POINTERS 8
#define HD_NAMED_BLOCKS 128
struct hd_block_pointer {
    uint64_t at; /* address of the word */
    hd_cname name; /* its canonical name */
    uint64_t to; /* its value */
};
struct hd_named_block {
    struct hd_block_info block;
    uint32_t nth, of; /* the nth of the blocks that were allocated at the same place */
    uint32_t npointers; /* in static data first, then on stacks, then in the heap */
    uint32_t pad;
    struct hd_block_pointer pointer[HD_BLOCK_POINTERS];
};

struct hd_race_info {
    struct hd_race race;
    hd_cname name;     /* of its first byte */
    uint32_t nskipped; /* events before those of HD_SEC_EVENTS */
};

/* For the first access of a race, and for a lock that was taken, only the pc is kept.  The rest is
 * recorded by running the schedule again (runtime/watch/witness.c). */
#define HD_WITNESS_EVENTS 48
/* The calls that lead to an event, innermost first, 0 after the last.  There are enough of them to
 * leave the headers of a library. */
#define HD_TRAILS HD_LIMIT(4096, 8)
struct hd_trail {
    uint64_t calls[16];
};
/* A plain access that the replay has seen, with the value that it read or wrote. */
#define HD_LOGGED_ACCESSES HD_LIMIT(65536, 64)
struct hd_plain_access {
    uint64_t addr;
    hd_cname name; /* of addr */
    uint64_t pc;
    uint64_t calls[8];  /* callers, innermost first, 0 after the last */
    uint64_t value;     /* the accessed bytes */
    uint32_t position;  /* number of events before it */
    uint32_t size;      /* in bytes */
    hd_tid tid;
    uint8_t write;
    uint8_t valued;     /* whether `value` is known */
};
struct hd_witness {
    uint32_t wants_trails;           /* set by the conductor before the replay */
    uint32_t ntrails;                /* number of events that have a trail, from the first on */
    struct hd_trail trail[HD_TRAILS];
    /* a ring: access i is access[i % HD_LOGGED_ACCESSES], and only the last ones are left */
    uint64_t naccesses;
    struct hd_plain_access access[HD_LOGGED_ACCESSES];
    uint32_t nnamed; /* the heap blocks of these accesses and of the events, as in HD_SEC_NAMED_BLOCKS */
    struct hd_named_block named[HD_NAMED_BLOCKS];
    /* stacks of the threads at these events, set by the conductor before the replay */
    uint32_t nwanted;
    uint32_t wanted[HD_WITNESS_EVENTS];           /* event numbers */
    struct hd_capture event[HD_WITNESS_EVENTS];   /* pc 0: not seen */
    struct hd_race race; /* the wanted race, set by the conductor before the replay; size 0: none */
    uint32_t seen;       /* the race happened, and all following fields are valid */
    uint32_t labels;     /* enum hd_race_label */
    uint8_t valued[2];   /* whether the value of the first and of the second access is known */
    uint64_t value[2];   /* values of the racing bytes that were read or written */
    struct hd_capture first;
    struct hd_capture allocation; /* allocation of the heap block around it; pc 0: not seen */
    uint64_t block, block_size;
    struct hd_capture created[2]; /* creation of the threads of both accesses; pc 0: main, or not
                                   * seen */
};

/* Where the output begins to differ from the expected one. */
struct hd_output_diff {
    uint32_t line;             /* number of the first line that differs, from 1 */
    uint32_t more[2];          /* number of bytes of output after the text below */
    uint32_t size[2];          /* bytes of it */
    char text[2][1024];        /* expected and printed, from the beginning of that line on */
};

/* The output that is expected.  Set by the conductor before the targets start; with --expect-same by the
 * worker whose execution is the first to end. */
struct hd_expected {
    uint32_t state; /* 0: not known; HD_EXPECTED_KNOWN; otherwise the worker + 1 that is setting it */
    uint32_t size;
    char text[HD_EXPECTED_BYTES];
};
#define HD_EXPECTED_KNOWN UINT32_MAX

/* heddle linearize.  The expected text of concurrent executions is the book. */
struct hd_linear_state {
    struct hd_lin_book book; /* of the sequential executions */
    uint32_t steps;          /* of heddle_script; 0: there is none */
    /* counts for concurrent executions: whether operations of two clients overlapped, how many executions were
     * judged, and how many of these agree with a sequential order only by a rule that is weaker than equality */
    uint32_t overlapped;
    uint64_t judged, by_rule;
    struct hd_lin_saved saved[HD_LIN_COMPONENTS]; /* which rules */
    struct hd_lin_kept kept;
};
_Static_assert(HD_LIN_BOOK_BYTES <= HD_EXPECTED_BYTES, "a book is an expected text");

/* Events (of HD_SEC_EVENTS) that return to the state before them. */
struct hd_cycle_info {
    uint32_t first, end;
};

/* A location that an endlessly polling thread has read in its last round. */
struct hd_polled {
    hd_tid tid;
    uint8_t size;   /* bytes of memory; 0: another object */
    uint32_t obj;   /* object of the visible operation; 0: a plain access */
    hd_cname name;
    uint64_t value;
    uint64_t pc;    /* site of the loop */
};

struct hd_hold {
    uint32_t obj;
    uint32_t tid;
    uint64_t pc; /* where it was acquired */
};

struct hd_finding {
    uint64_t size;      /* size of the whole record with its head; a multiple of 8 */
    uint64_t number;    /* 1, 2, … */
    uint64_t execution; /* counted executions before it, plus one */
    uint64_t index;     /* index of its execution in the whole campaign, if workers share indices */
    uint64_t signature; /* equal for findings that are the same for a user */
    uint32_t kind;      /* enum hd_finding_kind */
    uint32_t tid;       /* the thread that failed, or HD_NO_TID */
    uint32_t step;      /* decisions taken so far */
    uint32_t preemptions;
    uint32_t nthreads;
    uint32_t signal;    /* crash: signal number; otherwise 0 */
    uint64_t address;   /* crash: faulting address */
    uint64_t pc;        /* 0: unknown */
    uint64_t sites;     /* number of racing sites that were points in its execution */
    uint64_t waits;     /* set of the rows of hd_common.waits that applied to its execution */
    uint32_t warning;   /* enum hd_warning_kind; if not 0, it is a warning, and kind means nothing */
    uint32_t numbered;  /* set by the conductor: `execution` is final */
    char message[512];  /* one sentence, no newline */

    /* only with suppressions (runtime/report/suppression.h) */
    uint64_t occurrence; /* like signature, and equal only if the callers are equal too */
    uint64_t hit_in;     /* wire.attempts of the last execution that had it */
    uint32_t hits;       /* how often that execution had it */
    uint32_t judgement;  /* enum hd_judgement, set by the conductor */
};

enum hd_judgement { HD_NOT_JUDGED, HD_COUNTS, HD_SUPPRESSED };

struct hd_slot {
    uint16_t parent; /* slot of the parent; 0 for main */
    uint16_t nth;
};

/* A site whose accesses race. */
struct hd_site {
    hd_cname name; /* canonical name of the return address; 0: end of the table */
    uint64_t from; /* sampling search: index of the first execution in which it is a point; 0: not yet known */
};

/* A place of a waiting loop (runtime/progress/await.h). */
struct hd_wait_place {
    hd_cname name; /* canonical name of the return address of its operation; 0: end of the table */
    uint64_t from; /* the pass from which on it applies, plus one; 0: not yet known */
};

/* A predicted race (detect/predict.h). */
#define HD_MAX_PREDICTIONS HD_LIMIT(256, 2)
struct hd_prediction {
    uint64_t key;   /* key of the pair of sites; 0: end of the table */
    uint32_t ready; /* the other fields are valid */
    struct hd_race race;
    hd_cname name;
};

/* Passes of workers that share a space of executions: see runtime/worker/shared_passes.h. */
struct hd_passes {
    uint64_t number; /* number of the current pass, from 0 */
    uint64_t sites;  /* number of sites that are points in it */
    uint64_t lock;   /* worker + 1 that prepares the next pass */
    uint64_t at[HD_MAX_WORKERS]; /* the pass that each worker wants to work on */
};

/* The longest execution of a worker so far, if it is long (runtime/progress/limit.h, L5). */
struct hd_longest {
    uint64_t pc;    /* the place of most of its steps */
    uint32_t times; /* number of steps there */
    uint32_t steps; /* 0: no execution is long */
};

/* What all workers of a campaign share. */
struct hd_common {
    uint64_t magic;
    uint32_t version;
    uint32_t nworkers;
    uint64_t found;   /* smallest index of an execution with a finding, plus one; 0: none */

    /* slots: (parent << 16 | nth) + 1 of each, 0: free.  Slots are claimed in order by one store
     * each, so a thread has the same slot in all workers. */
    uint32_t slots[HD_MAX_THREADS];

    /* objects: row 0 is unused.  Rows are the same in all workers. */
    uint32_t nobjects;
    struct hd_object_info *objects; /* [HD_MAX_OBJECTS] */
    uint32_t *object_index;         /* [HD_OBJECT_INDEX]: ids by hash of name and type; 0: free */

    /* words of 8 bytes that heddle_always has read in any execution, 0 after the last; only grows */
    uint64_t watched[HD_MAX_WATCHED];

    struct hd_unseen_table *unseen; /* written by the conductor before the targets start, except for "ran" */
    struct hd_locked_table *locked; /* written by the conductor before the targets start */
    struct hd_reached *reached;     /* --count */

    struct hd_arena arena; /* for data that strategies of several workers share in this pass */
    uint64_t pass;         /* number of this pass of the search */
    uint64_t pass_wanted;  /* larger than pass: the reduced exploration so far is void */
    uint64_t let_go[HD_MAX_WORKERS]; /* the pass for whose beginning the worker waits: see
                                      * runtime/core/restart.h */

    struct hd_site sites[HD_MAX_SITES]; /* in the order of their discovery; only grows */
    uint32_t nchosen; /* number of sites, from the first on, that are points although plain accesses
                       * are not (hd_settings.no_points); set by the tool before the targets
                       * start */
    struct hd_wait_place waits[HD_MAX_WAITS]; /* in the order of their discovery; only grows */
    uint64_t waits_wanted; /* like pass_wanted, because of a new row of waits; applies to searches
                            * without reduction as well */
    struct hd_await_table *awaits;
    uint32_t ends_since; /* number of the first pass in which ends of threads are ordered, because the last
                          * one ends the process (runtime/core/thread_end.c, E3); 0: none */
    struct hd_passes passes;
    uint32_t files_used; /* an execution has changed a file, or was about to */
    uint32_t files_turn; /* worker + 1 that may run an execution once files_used is set; 0: none
                          * (runtime/restore/file_turns.h) */
    uint32_t aside;      /* set by the conductor: another target of the same program runs */
    struct hd_expected expected;
    struct hd_linear_state linear;
    struct hd_prediction predictions[HD_MAX_PREDICTIONS];
    struct hd_race_row race_rows[HD_RACE_ROWS]; /* by hash of the key, open addressing */

    /* Executions of each worker: those that count towards a limit, and all that are over.  Each has
     * a cache line of its own, because its worker writes it after every execution. */
    struct hd_tally {
        uint64_t executions;
        uint64_t begun;
        uint32_t runs_free; /* it is in an execution that began without a turn (runtime/restore/file_turns.h) */
    } __attribute__((aligned(64))) tally[HD_MAX_WORKERS];
};

enum hd_phase { HD_PHASE_START, HD_PHASE_RUNNING, HD_PHASE_DONE, HD_PHASE_REFUSED };

struct hd_wire {
    uint64_t magic;
    uint32_t version;
    uint32_t phase; /* enum hd_phase */
    struct hd_config config;

    char undo[256]; /* set by the conductor: path of the undo log (undo_log.h); empty: one in memory */

    /* while it runs */
    int32_t zygote_pid;
    int32_t worker_pid;
    uint32_t stop;          /* set by the conductor: end after this execution */
    uint32_t rest;          /* set by the conductor: number of its request to rest between two
                             * executions; 0: continue */
    uint32_t rests;         /* the last request to rest that the worker has followed */
    uint32_t continued;     /* set by the conductor: the search was loaded from a file (conductor/checkpoint.h) */
    uint64_t layout;        /* hash of the addresses at which the program lies; 0: not known yet */
    uint32_t watchdog_kill; /* set by the conductor: it asked worker_pid where it hangs, or killed it */
    uint32_t watchdog_busy; /* set by the conductor: the worker was using CPU time meanwhile */
    uint64_t heartbeat;     /* grows with every execution, every 1,024 steps, and while the search
                             * decides */
    uint32_t analysing;     /* the search analyses an execution: no code of the target runs */
    uint32_t forked;        /* fork isolation is in use */
    char fork_reason[128];  /* reason for fork isolation; empty: the user asked for it */
    uint32_t proven;        /* it is known whether a restart in process restarts the program
                             * (runtime/worker/selfcheck.h) */
    uint32_t repeating;     /* the worker repeats an execution to set `proven` */
    uint64_t first_trace;   /* not 0: a hash of that execution's actions in another process */
    uint64_t first_index;
    uint32_t started;       /* how often the program was run up to heddle_start() */
    uint32_t starts_again;  /* how often this had to be done although a process was there that had (runtime/worker/late_start.h) */
    int32_t late_status;    /* of the process that ran the last execution of such a process */
    uint32_t children;      /* an execution has started another process */
    uint32_t workers_lost;  /* worker deaths that the campaign survived */
    uint32_t worker_done;   /* the worker ends on purpose, not because the target does */
    uint32_t restarts;      /* number of restarts of the search, which is the number of its pass */
    uint64_t discarded;     /* executions begun before the last restart */
    uint64_t for_waits;     /* part of discarded: executions in passes that ended only because of
                             * waiting loops */
    char refusal[512];      /* phase REFUSED: message with its remedy */
    struct hd_ledger ledger; /* what may be uncontrolled */
    char internal_error[512]; /* a broken invariant of the runtime; "": none */
    uint32_t untried;        /* enum hd_untried */

    uint32_t nweak;             /* sites of atomics weaker than seq_cst, at most HD_MAX_WEAK */
    uint64_t weak[HD_MAX_WEAK]; /* pcs */

    uint32_t nassumptions;
    struct hd_assumption assumptions[HD_MAX_ASSUMPTIONS];
    uint32_t ntx_sites;
    struct hd_tx_site tx_sites[HD_MAX_TX_SITES];
    uint32_t nloops;              /* polling loops that were cut, at most HD_MAX_LOOPS */
    uint64_t loops[HD_MAX_LOOPS]; /* a site in each of them (pcs) */
    uint32_t loop_rounds[HD_MAX_LOOPS]; /* smallest number of rounds after which it was cut */
    struct hd_longest longest;

    /* the program */
    uint32_t nmodules;
    struct hd_module modules[HD_MAX_MODULES];
    uint32_t nlate; /* objects loaded at run time, each once */
    char late[HD_MAX_LATE][256];

    /* the search */
    struct hd_campaign campaign;
    struct hd_arena arena;
    struct hd_execution exec;
    uint32_t nrecorded;
    struct hd_decision *recorded; /* [HD_MAX_STEPS], written by the conductor for a replay */
    struct hd_plan plan;          /* a series of schedules to run (model/plan.h) */

    /* races of the current execution, each once: 2 * row + order */
    uint32_t nraced;
    uint32_t raced[HD_MAX_RACED];

    struct hd_common *common;

    /* findings */
    uint64_t nfindings; /* including warnings */
    uint32_t nwarnings;
    uint32_t nhung;     /* executions that were given up because they made no step (runtime/worker/hang.h) */
    uint64_t nstopping; /* number of findings that stop the search unless --keep-going */
    uint64_t found_in;  /* index of the execution with the first of these findings */
    uint64_t findings_used;
    unsigned char *findings;
    uint64_t nsettled;  /* number of findings whose effect on the search has been applied */
    uint64_t attempts;  /* executions begun, including repetitions */
    uint64_t finding_hits; /* executions whose finding had a known signature */

    /* leaks: what executions have lost, and the finding for the first one, in case a later
     * execution loses less; size 0: none kept */
    struct hd_leaks leaks;
    unsigned char *kept; /* [HD_KEPT_BYTES] */
    uint64_t kept_size;

    struct hd_witness witness; /* the last field: it is large, and few processes need it */
};

/* The conductor's view. */
struct hd_wires {
    int fd; /* open without CLOEXEC */
    uint32_t n;
    struct hd_common *common;
    struct hd_wire *wire[HD_MAX_WORKERS];
};

/* Conductor: creates the memory file for n workers and maps all of it.  On failure returns false
 * with errno set and leaves nothing behind. */
bool hd_wires_create(struct hd_wires *ws, uint32_t n);
void hd_wires_destroy(struct hd_wires *ws);

/* The first sets the pointers to the parts of a wire, the second returns true if they are intact.
 * The other two do the same for the common part; the memory that hd_common_init gets is zero. */
void hd_wire_point(struct hd_wire *w, uint32_t worker, struct hd_common *common);
bool hd_wire_pointers_hold(const struct hd_wire *w, uint32_t worker);
void hd_common_init(struct hd_common *c, uint32_t nworkers);
bool hd_common_pointers_hold(const struct hd_common *c);

/* Resets what the processes of these wires wrote about themselves, so that new targets can continue
 * the search.  Call when none of these processes is left. */
void hd_wires_renew(struct hd_wires *ws);

/* Target: maps the common part and the wire of that worker from the file open as fd.  Returns NULL
 * if its version does not match. */
struct hd_wire *hd_wire_attach(int fd, uint32_t worker);

/* Returns the slot of the nth child of the thread in slot parent, and claims one if necessary;
 * HD_MAX_THREADS if there are too many. */
uint32_t hd_common_slot(struct hd_common *c, uint32_t parent, uint32_t nth);
/* True if slot s belongs to that thread. */
bool hd_common_is_slot(const struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth);

/* Stores the claimed slots in out[HD_MAX_THREADS] and returns their number (main's is always
 * there). */
uint32_t hd_common_slots(const struct hd_common *c, struct hd_slot *out);

/* For a replay: gives slot s to that thread. */
void hd_common_set_slot(struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth);

/* The number of known racing sites. */
uint32_t hd_common_sites(const struct hd_common *c);

/* Records that the execution with that index has a finding. */
void hd_common_found(struct hd_common *c, uint64_t index);

/* Iterate over the findings: first(w), then next(w, f), until NULL. */
const struct hd_finding *hd_wire_finding_first(const struct hd_wire *w);
const struct hd_finding *hd_wire_finding_next(const struct hd_wire *w, const struct hd_finding *f);

/* Returns the first section of that type (and thread, unless tid is HD_NO_TID), or NULL.  The
 * payload follows the returned head. */
const struct hd_section *hd_finding_section(const struct hd_finding *f, enum hd_section_type type,
                                            hd_tid tid);

#endif
