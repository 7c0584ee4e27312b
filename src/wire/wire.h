/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wire.h - everything that conductor, zygotes and workers share: one sparse memory file.  Each part
 * is mapped at the same address in every process, so pointers into it are valid everywhere.
 *
 * The file begins with the common part, followed by one wire for each parallel worker (-j).  A
 * worker maps the common part and its own wire, the conductor all of them.
 *
 * Writers:
 *   conductor   config, and the schedule and slots of a replay, before the target starts; stop, rest and
 *               watchdog_kill while it runs; the execution number and the judgement of a finding when the
 *               finding is complete
 *   target      all the rest of its wire
 *   all targets the common part, by single atomic operations
 *
 * W1  A finding is complete before findings_used grows past it.
 * W2  Totals change only by the single store at the end of hd_search_end.
 * W3  A worker may die at any instruction; its zygote continues from the totals.  This does not disturb the
 *     other workers: at worst, a row of the common part stays unused. */
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
#include "model/learnt.h"
#include "model/ledger.h"
#include "model/lock.h"
#include "model/locked.h"
#include "model/object.h"
#include "model/passes.h"
#include "model/plan.h"
#include "model/race.h"
#include "model/reached.h"
#include "model/settings.h"
#include "model/traits.h"
#include "model/unseen.h"

#define HD_WIRE_MAGIC UINT64_C(0x31656c6464656821) /* "!heddle1" */
#define HD_WIRE_VERSION 17
#define HD_WIRE_ADDR UINT64_C(0x200000000000)  /* address of the common part; far from all other mappings */
#define HD_WIRE_STRIDE UINT64_C(0x2000000000) /* distance between two parts */
#define HD_WIRE_ENV "HEDDLE_WIRE" /* "descriptor of the memory file:worker" */
#define HD_MAX_WORKERS 64
#define HD_SIGNAL_HANGS SIGXCPU /* sent by the conductor: the worker hangs and must report where */

#define HD_MAX_OBJECTS (1u << 20)
#define HD_OBJECT_INDEX (2 * HD_MAX_OBJECTS)
#define HD_MAX_MODULES 256
#define HD_MAX_SITES 4096
#define HD_MAX_WAITS 64 /* one bit of hd_finding.waits for each */
#define HD_MAX_WEAK HD_LIMIT(256, 2)
#define HD_MAX_ASSUMPTIONS HD_LIMIT(64, 2)
#define HD_MAX_TX_SITES HD_LIMIT(64, 2)
#define HD_MAX_WATCHED 4096
#define HD_RACE_ROWS 8192
#define HD_MAX_RACED 4096
#define HD_EXPECTED_BYTES (1u << 20)
#define HD_MAX_LOOPS HD_LIMIT(64, 2)
#define HD_MANY_ROUNDS UINT32_MAX /* number of rounds of a loop that was cut only by the limit of --livelock */
#define HD_MAX_LOOP_BOUND 250
#define HD_MAX_WARNINGS HD_LIMIT(64, 2) /* maximum number of different warnings per worker */
#define HD_FINDINGS_BYTES (UINT64_C(1) << 30)
#define HD_KEPT_BYTES (UINT64_C(1) << 28)
#define HD_ARENA_BYTES (UINT64_C(1) << 36)

enum hd_isolation { HD_ISO_AUTO, HD_ISO_INPROC, HD_ISO_FORK };
enum hd_races_mode { HD_RACES_OFF, HD_RACES_ON, HD_RACES_PREDICT };

/* JUDGED: there are suppressions, so the conductor decides which findings count.  JUDGED_BY_VARIABLE: in addition, one
 * of them names a variable.  Races on different variables are then different findings; otherwise they are not, because a
 * racing array has many elements. */
enum hd_judging { HD_JUDGED_NOT, HD_JUDGED, HD_JUDGED_BY_VARIABLE };

enum hd_leased {
    HD_LEASED_NOT,
    HD_LEASED_INDICES, /* max_executions indices from first_index on */
    HD_LEASED_TASKS,   /* the tasks that the tool has put into the pool of the workers (search/core/share.h, H4) */
};

struct hd_config {
    char strategy[64]; /* name of the strategy, perhaps with a reducer: "dfs+cache" */
    char params[128];  /* "k=v,k=v" or empty */
    struct hd_traits traits; /* traits of the strategy with its reducer */
    uint32_t depth;    /* the parameter d: depth of the bugs to be found; 0: the strategy has no such parameter */
    uint32_t tries;    /* the parameter tries: how often an order is forced; 0: the strategy has no such
                        * parameter */
    int64_t bound;     /* -1: none */
    uint64_t seed;
    uint64_t max_executions; /* limit of counted executions; 0: none */
    uint64_t first_index;    /* with by_index: number of executions of the search that this one continues */
    HD_SETTINGS_EMBEDDED;
    uint32_t leak_expected; /* replay of a leak: number of blocks that every execution loses */
    uint64_t leak_site;     /* replay of a leak: the allocation site of these blocks (struct hd_block_info) */
    uint64_t wanted;        /* hd_finding.occurrence of the only finding that ends the search; 0: any finding
                             * does */
    uint8_t isolation;     /* enum hd_isolation */
    uint8_t release_rule;  /* enum hd_release_rule, from the C or C++ standard for which the program is compiled */
    uint8_t races;         /* enum hd_races_mode: whether to detect data races, and to predict them */
    uint8_t keep_going;    /* do not stop at the first finding */
    uint8_t past_races;    /* do not stop at a data race */
    uint8_t replay;        /* run `recorded` once, in the zygote itself, without a fork */
    uint8_t debug;         /* replay under a debugger: runtime/core/debug.h */
    uint8_t many;          /* with replay: workers run many executions, each reported as in a replay */
    uint8_t show_output;   /* replay: keep the captured output of a clean execution as well */
    uint8_t by_index;      /* the strategy samples: workers divide the indices of executions, not a space */
    uint8_t leased;        /* enum hd_leased: the search is a part of one that other machines work on, too */
    uint8_t judged;        /* enum hd_judging */
    uint8_t count;         /* bits of enum hd_reached_kind: what --count counts */
    uint8_t retry_sets;    /* uses retry sets (search/por/retry_sets.h) */
    uint32_t worker;       /* number of this wire's worker, from 0 */
    uint32_t nworkers;     /* number of workers */
    struct hd_filters filters; /* their addresses are relative to the program's file */
};

/* A place of the program that calls heddle_assume. */
struct hd_assumption {
    char where[112]; /* "f.c:12" */
    uint32_t failed;
    uint32_t passed; /* some thread has passed it, because the condition held */
};

/* A place where a transaction (RTM) begins. */
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
    uint32_t instrumented; /* it imports __tsan_* functions */
};

/* True if there is a single execution, without a separate worker process. */
static inline bool hd_config_runs_once(const struct hd_config *c)
{
    return c->replay && !c->many;
}

/* True if a worker must wait until the conductor has applied the suppressions.  In a replay they are used only
 * to tell findings apart, as in the search. */
static inline bool hd_config_awaits_suppression(const struct hd_config *c)
{
    return c->judged && !c->replay;
}

/* True if a finding of that kind ends a search that has no --keep-going.  If racing accesses are scheduling
 * points, a data race does not: the search continues, to find out what the race leads to. */
static inline bool hd_config_stops_at(const struct hd_config *c, enum hd_finding_kind kind)
{
    return kind != HD_FK_DATA_RACE || (c->points == HD_POINTS_SYNC && !c->past_races);
}

/* True if an execution with a finding of that kind counts as a failing one. */
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
    HD_SEC_CALLS,     /* for thread tid: uint64_t[count], the shadow call stack, outermost call first */
    HD_SEC_STACK,     /* for thread tid: struct hd_stack_image and its bytes */
    HD_SEC_HOLDS,     /* struct hd_hold[count]: which threads hold which locks */
    HD_SEC_OUTPUT,    /* bytes that the program has printed */
    HD_SEC_SLOTS,     /* struct hd_slot[count] */
    HD_SEC_BLOCK,     /* struct hd_block_info: the heap block of the finding */
    HD_SEC_RACE,      /* data race: struct hd_race_info */
    HD_SEC_CYCLE,     /* livelock: struct hd_cycle_info */
    HD_SEC_POLLED,    /* livelock: struct hd_polled[count] */
    HD_SEC_BLOCKED_STATES,    /* deadlock: struct hd_stand[count], the members of the cycle first, in its order */
    HD_SEC_OUTPUT_DIFF, /* wrong output: struct hd_output_diff */
    HD_SEC_LOCKS,     /* lock-order warning: struct hd_lock_step[count] */
    HD_SEC_NAMED_BLOCKS, /* struct hd_named_block[count]: heap blocks that reports must name */
    HD_SEC_HISTORY,   /* not linearizable: the record of the execution as text (linear/book.h) */
    HD_SEC_TYPES
};

#define HD_EVENTS_KEPT 200000

struct hd_section {
    uint32_t type; /* enum hd_section_type */
    uint32_t tid;
    uint32_t count;
    uint32_t pad;
    uint64_t bytes; /* size of the payload, without padding */
};

/* Registers and stack memory of a suspended thread, for unwinding with debug information outside of
 * the target. */
struct hd_stack_image {
    uint64_t pc, sp, rbp, rbx, r12, r13, r14, r15;
    uint64_t lo;    /* address of the first byte */
    uint64_t bytes; /* number of bytes that follow */
};

/* Where a thread was at some moment: like HD_SEC_CALLS and HD_SEC_STACK, but for a thread that has moved on
 * since. */
#define HD_CAPTURED_CALLS 256
#define HD_CAPTURED_BYTES 16384
struct hd_capture {
    uint64_t pc;
    uint32_t position; /* number of events before it */
    hd_tid tid;
    uint32_t ncalls;
    uint64_t calls[HD_CAPTURED_CALLS];
    struct hd_stack_image image;
    unsigned char stack[HD_CAPTURED_BYTES]; /* the first image.bytes bytes are valid */
};

/* A heap block with what a report needs to name it: its allocation, and words in memory that point into it. */
#define HD_BLOCK_POINTERS 8
#define HD_NAMED_BLOCKS 128
struct hd_block_pointer {
    uint64_t at; /* address of the word */
    hd_cname name; /* canonical name of the word */
    uint64_t to; /* value of the word */
};
struct hd_named_block {
    struct hd_block_info block;
    uint32_t nth, of; /* it is the nth of `of` blocks that were allocated at the same place */
    uint32_t npointers; /* number of pointers: those in static data first, then on stacks, then in the heap */
    uint32_t pad;
    struct hd_block_pointer pointer[HD_BLOCK_POINTERS];
};

struct hd_race_info {
    struct hd_race race;
    hd_cname name;     /* canonical name of the first byte */
    uint32_t nskipped; /* number of events before those of HD_SEC_EVENTS */
};

/* For the first access of a race, and for a lock that was taken, the search keeps only the pc.  The rest is
 * recorded by running the schedule again (runtime/watch/witness.c). */
#define HD_WITNESS_EVENTS 48
/* The calls that lead to an event, innermost first, 0 after the last one.  There are enough of them to get from
 * the code of a library header, such as a template, to the program's own code. */
#define HD_TRAILS HD_LIMIT(4096, 8)
struct hd_trail {
    uint64_t calls[16];
};
/* A plain access that was observed in the replay, with the value that it read or wrote. */
#define HD_LOGGED_ACCESSES HD_LIMIT(65536, 64)
struct hd_plain_access {
    uint64_t addr;
    hd_cname name; /* canonical name of addr */
    uint64_t pc;
    uint64_t calls[8];  /* callers, innermost first, 0 after the last one */
    uint64_t value;     /* the accessed bytes */
    uint32_t position;  /* number of events before it */
    uint32_t size;      /* size in bytes */
    hd_tid tid;
    uint8_t write;
    uint8_t valued;     /* `value` is known */
};
struct hd_witness {
    uint32_t wants_trails;           /* set by the conductor before the replay */
    uint32_t ntrails;                /* number of events, from the first one on, that have a trail */
    struct hd_trail trail[HD_TRAILS];
    /* A ring buffer: access i is access[i % HD_LOGGED_ACCESSES], and only the last ones are kept. */
    uint64_t naccesses;
    struct hd_plain_access access[HD_LOGGED_ACCESSES];
    uint32_t nnamed; /* number of the heap blocks of these accesses and of the events, as in HD_SEC_NAMED_BLOCKS */
    struct hd_named_block named[HD_NAMED_BLOCKS];
    /* Stacks of the threads at certain events, which the conductor selects before the replay: */
    uint32_t nwanted;
    uint32_t wanted[HD_WITNESS_EVENTS];           /* event numbers */
    struct hd_capture event[HD_WITNESS_EVENTS];   /* pc 0: the event did not occur */
    struct hd_race race; /* the race to look for, set by the conductor before the replay; size 0: none */
    uint32_t seen;       /* the race occurred, and all following fields are valid */
    uint32_t labels;     /* enum hd_race_label */
    uint8_t valued[2];   /* whether the value of the first and of the second access is known */
    uint64_t value[2];   /* values of the racing bytes that were read or written */
    struct hd_capture first;
    struct hd_capture allocation; /* allocation of the heap block that contains the racing bytes; pc 0: not
                                   * observed */
    uint64_t block, block_size;
    struct hd_capture created[2]; /* creation of the threads of both accesses; pc 0: main, or not observed */
};

/* Where the output begins to differ from the expected output. */
struct hd_output_diff {
    uint32_t line;             /* number of the first line that differs, from 1 */
    uint32_t more[2];          /* number of bytes of output after the text below */
    uint32_t size[2];          /* number of bytes of the text below */
    char text[2][1024];        /* expected text and printed text, from the beginning of that line on */
};

/* The expected output.  The conductor sets it before the targets start or, with --expect-same, the worker whose
 * execution is the first to end. */
struct hd_expected {
    uint32_t state; /* 0: unknown; HD_EXPECTED_KNOWN; otherwise 1 + the worker that is setting it */
    uint32_t size;
    char text[HD_EXPECTED_BYTES];
};
#define HD_EXPECTED_KNOWN UINT32_MAX

/* State of `heddle linearize`.  The expected text of concurrent executions is the book. */
struct hd_linear_state {
    struct hd_lin_book book; /* outcomes of the sequential executions */
    uint32_t steps;          /* number of steps of heddle_script; 0: there is none */
    /* For concurrent executions: whether operations of two clients overlapped, how many executions were judged,
     * and how many of these agree with a sequential order only by a rule that is weaker than equality. */
    uint32_t overlapped;
    uint64_t judged, by_rule;
    uint64_t unknown[HD_LIN_CLIENTS]; /* bits: operations that have not returned and must be left out (table.h, J2) */
    uint32_t repeats;                 /* set by the tool: it searches again if there are such operations */
    uint32_t stops;                   /* there are, so workers stop */
    struct hd_lin_saved saved[HD_LIN_COMPONENTS]; /* counts by rule */
    struct hd_lin_kept kept;
};
_Static_assert(HD_LIN_BOOK_BYTES <= HD_EXPECTED_BYTES, "a book is an expected text");

/* Events (of HD_SEC_EVENTS) that lead back to the state before them. */
struct hd_cycle_info {
    uint32_t first, end;
};

/* A location that a thread, which polls for ever, has read in its last round. */
struct hd_polled {
    hd_tid tid;
    uint8_t size;   /* bytes of memory; 0: an object that is not memory */
    uint32_t obj;   /* object of the visible operation; 0: a plain access */
    hd_cname name;
    uint64_t value;
    uint64_t pc;    /* site of the loop */
};

struct hd_hold {
    uint32_t obj;
    uint32_t tid;
    uint64_t pc; /* where the lock was acquired */
};

struct hd_finding {
    uint64_t size;      /* size of the whole record, with its head and sections; a multiple of 8 */
    uint64_t number;    /* number of the finding, from 1 */
    uint64_t execution; /* 1 + the number of counted executions before it */
    uint64_t index;     /* index of its execution in the whole campaign, if workers divide the indices */
    uint64_t signature; /* equal for findings that are the same to a user */
    uint32_t kind;      /* enum hd_finding_kind */
    uint32_t tid;       /* the thread that failed, or HD_NO_TID */
    uint32_t step;      /* number of decisions taken so far */
    uint32_t preemptions;
    uint32_t nthreads;
    uint32_t signal;    /* crash: signal number; otherwise 0 */
    uint64_t address;   /* crash: faulting address */
    uint64_t pc;        /* 0: unknown */
    uint64_t sites;     /* number of racing sites that were scheduling points in its execution */
    uint64_t waits;     /* bits: the rows of hd_common.waits that applied to its execution */
    uint32_t warning;   /* enum hd_warning_kind; not 0: it is a warning, and `kind` is not used */
    uint32_t numbered;  /* set by the conductor: `execution` is final */
    char message[512];  /* one sentence, no newline */

    /* Only with suppressions (runtime/report/suppression.h): */
    uint64_t occurrence; /* like signature, but equal only if the callers are equal, too */
    uint64_t hit_in;     /* value of wire.attempts in the last execution that had this finding */
    uint32_t hits;       /* how often it occurred in that execution */
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
    uint64_t from; /* sampling search: index of the first execution in which it is a scheduling point; 0: not
                    * yet decided */
};

/* A place of a waiting loop (runtime/progress/await.h). */
struct hd_wait_place {
    hd_cname name; /* canonical name of the return address of its operation; 0: end of the table */
    uint64_t from; /* 1 + the first pass in which it applies; 0: not yet decided */
};

/* A predicted race (detect/predict.h). */
#define HD_MAX_PREDICTIONS HD_LIMIT(256, 2)
struct hd_prediction {
    uint64_t key;   /* hash of the pair of sites; 0: end of the table */
    uint32_t ready; /* the other fields are valid */
    struct hd_race race;
    hd_cname name;
};

/* The longest execution of a worker so far, if it is long (L5 of runtime/progress/limit.h). */
struct hd_longest {
    uint64_t pc;    /* the place at which most of its steps were made */
    uint32_t times; /* number of steps there */
    uint32_t steps; /* 0: no execution is long */
};

/* The part that all workers of a campaign share. */
struct hd_common {
    uint64_t magic;
    uint32_t version;
    uint32_t nworkers;
    uint64_t found;   /* 1 + the smallest index of an execution with a finding; 0: none */

    /* Slots: each is (parent << 16 | nth) + 1; 0: free.  They are claimed in order, by one store each, so a
     * thread has the same slot in all workers. */
    uint32_t slots[HD_MAX_THREADS];

    /* Objects: row 0 is unused.  The rows are the same in all workers. */
    uint32_t nobjects;
    struct hd_object_info *objects; /* [HD_MAX_OBJECTS] */
    uint32_t *object_index;         /* [HD_OBJECT_INDEX]: ids by hash of name and type; 0: free */

    /* Addresses of the 8-byte words that heddle_always has read in any execution, 0 after the last one.  Only
     * grows. */
    uint64_t watched[HD_MAX_WATCHED];

    struct hd_unseen_table *unseen; /* written by the conductor before the targets start, except for `ran` and
                                     * `may_order` */
    struct hd_locked_table *locked; /* written by the conductor before the targets start */
    struct hd_reached *reached;     /* what --count counts */

    struct hd_arena arena; /* for data that strategies of several workers share in this pass */
    uint64_t pass;         /* number of this pass of the search */
    uint64_t pass_wanted;  /* larger than `pass`: what the reduced search has explored so far is void */
    uint64_t let_go[HD_MAX_WORKERS]; /* for each worker, the pass for whose beginning it waits: see
                                      * runtime/core/restart.h */

    struct hd_site sites[HD_MAX_SITES]; /* in the order of their discovery; only grows */
    uint32_t nchosen; /* number of sites, from the first one on, that are scheduling points although plain
                       * accesses are not (hd_settings.no_points); the tool sets it before the targets start */
    struct hd_wait_place waits[HD_MAX_WAITS]; /* in the order of their discovery; only grows */
    uint64_t waits_wanted; /* like pass_wanted, because of a new row of `waits`; also applies to searches
                            * without reduction */
    struct hd_await_table *awaits;
    uint32_t ends_since; /* the first pass in which the ends of threads are ordered, because the last one ends
                          * the process (E3 of runtime/core/thread_end.c); 0: none */
    struct hd_passes passes;
    struct hd_learnt learnt; /* facts that lazy reductions have learnt */
    uint32_t files_used; /* an execution has changed a file, or was about to change one */
    uint32_t files_turn; /* 1 + the worker that may run an execution once files_used is set; 0: none
                          * (runtime/restore/file_turns.h) */
    uint32_t other_target; /* set by the conductor: another target of the same program is running */
    struct hd_expected expected;
    struct hd_linear_state linear;
    struct hd_prediction predictions[HD_MAX_PREDICTIONS];
    struct hd_race_row race_rows[HD_RACE_ROWS]; /* hash table by key, open addressing */

    /* For each worker, the number of executions that count towards a limit, and of all that are over.  Each
     * entry has a cache line of its own, because its worker writes it after every execution. */
    struct hd_tally {
        uint64_t executions;
        uint64_t begun;
        uint32_t runs_free; /* the worker is in an execution that began without a turn
                             * (runtime/restore/file_turns.h) */
    } __attribute__((aligned(64))) tally[HD_MAX_WORKERS];
};

enum hd_phase { HD_PHASE_START, HD_PHASE_RUNNING, HD_PHASE_DONE, HD_PHASE_REFUSED };

struct hd_wire {
    uint64_t magic;
    uint32_t version;
    uint32_t phase; /* enum hd_phase */
    struct hd_config config;

    char undo[256]; /* set by the conductor: path of the undo log (undo_log.h); empty: the log is in memory */

    /* State of the running target: */
    int32_t zygote_pid;
    int32_t worker_pid;
    uint32_t stop;          /* set by the conductor: end after this execution */
    uint32_t rest;          /* set by the conductor: number of its request to pause between two executions; 0:
                             * continue */
    uint32_t rests;         /* number of the last such request that the worker has obeyed */
    uint32_t continued;     /* set by the conductor: the search was loaded from a file (conductor/checkpoint.h) */
    uint64_t layout;        /* hash of the addresses at which the program is loaded; 0: not yet known */
    uint32_t watchdog_kill; /* set by the conductor: it asked worker_pid where it hangs, or killed it */
    uint32_t watchdog_busy; /* set by the conductor: the worker was using CPU time meanwhile */
    uint64_t heartbeat;     /* incremented with every execution, every 1,024 steps, and while the search takes
                             * long to decide */
    uint32_t analysing;     /* the search is analysing an execution, so no code of the target runs */
    uint32_t forked;        /* fork isolation is in use */
    char fork_reason[128];  /* reason for fork isolation; empty: the user asked for it */
    uint32_t proven;        /* it is known whether restoring memory really restarts the program
                             * (runtime/worker/selfcheck.h) */
    uint32_t repeating;     /* the worker is repeating an execution to find that out */
    uint64_t first_trace;   /* not 0: hash of what that execution did in another process */
    uint64_t first_index;
    uint32_t started;       /* how often the program was run up to heddle_start() */
    uint32_t starts_again;  /* how often that was necessary although a process already existed that had done so
                             * (runtime/worker/late_start.h) */
    int32_t late_status;    /* exit status of the process that ran the last execution of such a process */
    uint32_t children;      /* an execution has started another process */
    uint32_t workers_lost;  /* number of worker deaths that the campaign survived */
    uint32_t worker_done;   /* the worker ended on purpose, not because of the target */
    uint32_t restarts;      /* number of restarts of the search, which is the number of its pass */
    uint64_t discarded;     /* number of executions begun before the last restart */
    uint64_t for_waits;     /* part of `discarded`: executions in passes that ended only because of waiting
                             * loops */
    char refusal[512];      /* phase REFUSED: the message, with its remedy */
    struct hd_ledger ledger; /* everything that may be uncontrolled */
    char internal_error[512]; /* a broken invariant of the runtime; "": none */
    uint32_t untried;        /* bits of enum hd_untried */

    uint32_t nweak;             /* number of sites of atomic operations weaker than seq_cst, at most HD_MAX_WEAK */
    uint64_t weak[HD_MAX_WEAK]; /* pcs of these sites */

    uint32_t nassumptions;
    struct hd_assumption assumptions[HD_MAX_ASSUMPTIONS];
    uint32_t ntx_sites;
    struct hd_tx_site tx_sites[HD_MAX_TX_SITES];
    uint32_t nloops;              /* number of polling loops that were cut, at most HD_MAX_LOOPS */
    uint64_t loops[HD_MAX_LOOPS]; /* pc of a site in each of them */
    uint32_t loop_rounds[HD_MAX_LOOPS]; /* smallest number of rounds after which each was cut */
    struct hd_longest longest;

    /* The program: */
    uint32_t nmodules;
    struct hd_module modules[HD_MAX_MODULES];
    uint32_t nlate; /* number of objects loaded at run time, each listed once */
    char late[HD_MAX_LATE][256];

    /* The search: */
    struct hd_campaign campaign;
    struct hd_arena arena;
    struct hd_execution exec;
    uint32_t nrecorded;
    struct hd_decision *recorded; /* [HD_MAX_STEPS]: the decisions to replay, written by the conductor */
    struct hd_plan plan;          /* a series of schedules to run (model/plan.h) */

    /* Races of the current execution, each listed once as 2 * row + order: */
    uint32_t nraced;
    uint32_t raced[HD_MAX_RACED];

    struct hd_common *common;

    /* Findings: */
    uint64_t nfindings; /* number of findings and warnings */
    uint32_t nwarnings;
    uint32_t nhung;     /* number of executions that were given up because they made no step
                         * (runtime/worker/hang.h) */
    uint64_t nstopping; /* number of findings that stop the search unless --keep-going */
    uint64_t found_in;  /* index of the execution that had the first of these findings */
    uint64_t findings_used;
    unsigned char *findings;
    uint64_t nsettled;  /* number of findings whose effect on the search has been applied */
    uint64_t attempts;  /* number of executions begun, including repetitions */
    uint64_t finding_hits; /* number of executions whose finding had a known signature */

    /* Leaks: the blocks that executions have lost, and the finding for the first execution, in case a later one
     * loses fewer; size 0: none is kept. */
    struct hd_leaks leaks;
    unsigned char *kept; /* [HD_KEPT_BYTES] */
    uint64_t kept_size;

    struct hd_witness witness; /* the last field, because it is large and few processes need it */
};

/* All wires, as the conductor uses them. */
struct hd_wires {
    int fd; /* open without CLOEXEC */
    uint32_t n;
    struct hd_common *common;
    struct hd_wire *wire[HD_MAX_WORKERS];
};

/* For the conductor: creates the memory file for n workers and maps all of it.  On failure, returns false with
 * errno set and leaves nothing behind. */
bool hd_wires_create(struct hd_wires *ws, uint32_t n);
void hd_wires_destroy(struct hd_wires *ws);

/* hd_wire_point sets the pointers to the parts of a wire, and hd_wire_pointers_hold returns true if they are
 * intact.  The other two functions do the same for the common part; hd_common_init expects zeroed memory. */
void hd_wire_point(struct hd_wire *w, uint32_t worker, struct hd_common *common);
bool hd_wire_pointers_hold(const struct hd_wire *w, uint32_t worker);
void hd_common_init(struct hd_common *c, uint32_t nworkers);
bool hd_common_pointers_hold(const struct hd_common *c);

/* Resets what the processes of these wires have written about themselves, so that new targets can continue the
 * search.  Call when none of these processes exists any more. */
void hd_wires_renew(struct hd_wires *ws);

/* For the target: maps the common part and the wire of that worker from the file open as fd.  Returns NULL if
 * the version does not match. */
struct hd_wire *hd_wire_attach(int fd, uint32_t worker);

/* Returns the slot of the nth child of the thread in slot `parent`, claiming one if necessary; HD_MAX_THREADS
 * if there are too many. */
uint32_t hd_common_slot(struct hd_common *c, uint32_t parent, uint32_t nth);
/* True if slot s belongs to that thread. */
bool hd_common_is_slot(const struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth);

/* Stores the claimed slots in out[HD_MAX_THREADS] and returns their number.  The slot of main is always among
 * them. */
uint32_t hd_common_slots(const struct hd_common *c, struct hd_slot *out);

/* For a replay: assigns slot s to that thread. */
void hd_common_set_slot(struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth);

/* Returns the number of racing sites known so far. */
uint32_t hd_common_sites(const struct hd_common *c);

/* Records that the execution with that index has a finding. */
void hd_common_found(struct hd_common *c, uint64_t index);

/* Iterate over the findings: first(w), then next(w, f), until NULL is returned. */
const struct hd_finding *hd_wire_finding_first(const struct hd_wire *w);
const struct hd_finding *hd_wire_finding_next(const struct hd_wire *w, const struct hd_finding *f);

/* Returns the first section of that type (and thread, unless tid is HD_NO_TID), or NULL.  The payload follows
 * the head that is returned. */
const struct hd_section *hd_finding_section(const struct hd_finding *f, enum hd_section_type type,
                                            hd_tid tid);

#endif
