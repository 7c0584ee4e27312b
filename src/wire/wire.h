/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wire.h - everything that conductor, zygotes and workers share: one sparse
 * memory file, each part mapped at the same address in every process, so that
 * pointers into it mean the same everywhere.
 *
 * The file begins with the common part; after it comes one wire for each worker
 * that searches at the same time (-j).  A worker maps the common part and its own
 * wire, the conductor all of them.
 *
 * Who writes what:
 *   conductor   config, modules' wishes (recorded, slots for a replay) before the
 *               target starts; stop and watchdog_kill while it runs; the number of
 *               a finding's execution and its judgement once the finding is complete
 *   target      all the rest of its wire
 *   all targets the common part, by single atomic operations
 *
 * W1  A finding is complete before findings_used grows past it.
 * W2  Totals change only by the one store at the end of hd_search_end.
 * W3  A worker may die at any instruction; the zygote goes on from the totals.  In
 *     the common part that costs others nothing: at worst a row stays unused. */
#ifndef HD_WIRE_WIRE_H
#define HD_WIRE_WIRE_H

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
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
#include "model/settings.h"
#include "model/traits.h"
#include "model/unseen.h"

#define HD_WIRE_MAGIC UINT64_C(0x31656c6464656821) /* "!heddle1" */
#define HD_WIRE_VERSION 9
#define HD_WIRE_ADDR UINT64_C(0x200000000000)  /* of the common part; far from all that the
                                                * kernel, the loader and the runtime map */
#define HD_WIRE_STRIDE UINT64_C(0x2000000000) /* from one part to the next */
#define HD_WIRE_ENV "HEDDLE_WIRE" /* "descriptor of the memory file:worker" */
#define HD_MAX_WORKERS 64
#define HD_SIGNAL_HANGS SIGXCPU /* conductor to worker: you hang, say where */

#define HD_MAX_OBJECTS (1u << 20)
#define HD_OBJECT_INDEX (2 * HD_MAX_OBJECTS)
#define HD_MAX_MODULES 256
#define HD_MAX_SITES 4096
#define HD_MAX_WEAK 256
#define HD_MAX_ASSUMPTIONS 64
#define HD_MAX_WATCHED 4096
#define HD_RACE_ROWS 8192
#define HD_MAX_RACED 4096
#define HD_MAX_LOOPS 64
#define HD_MANY_ROUNDS UINT32_MAX /* of a loop: all there was room for */
#define HD_MAX_LOOP_BOUND 250
#define HD_MAX_WARNINGS 64 /* different ones, of each worker */
#define HD_FINDINGS_BYTES (UINT64_C(1) << 30)
#define HD_KEPT_BYTES (UINT64_C(1) << 28)
#define HD_ARENA_BYTES (UINT64_C(1) << 36)

enum hd_isolation { HD_ISO_AUTO, HD_ISO_INPROC, HD_ISO_FORK };
enum hd_races_mode { HD_RACES_OFF, HD_RACES_ON, HD_RACES_PREDICT };

/* Whether there are suppressions, so that the conductor says which findings count; and
 * whether one of them names a variable, because racing arrays have many. */
enum hd_judging { HD_JUDGED_NOT, HD_JUDGED, HD_JUDGED_BY_VARIABLE };

struct hd_config {
    char strategy[64]; /* name, with a reducer: "dfs+cache" */
    char params[128];  /* "k=v,k=v" or empty */
    struct hd_traits traits; /* of the strategy with its reducer */
    uint32_t depth;    /* parameter d: depth of the bugs that it looks for; 0: it has none */
    uint32_t tries;    /* parameter tries: how often an order is forced; 0: it has none */
    int64_t bound;     /* -1 none */
    uint64_t seed;
    uint64_t max_executions; /* counted; 0 = no limit */
    HD_SETTINGS_EMBEDDED;
    uint32_t leak_expected; /* replay of a leak: blocks that are lost anyway ... */
    uint64_t leak_site;     /* ... and where they come from (struct hd_block_info) */
    uint64_t wanted;        /* the one finding that ends the search, by its occurrence; 0: any */
    uint8_t isolation;     /* enum hd_isolation */
    uint8_t release_rule;  /* enum hd_release_rule: of the standard that the program was compiled for */
    uint8_t races;         /* enum hd_races_mode: look for data races, and for hidden ones */
    uint8_t keep_going;    /* do not stop at the first finding */
    uint8_t replay;        /* one execution of recorded, in the zygote itself: no fork */
    uint8_t debug;         /* ... under a debugger: runtime/core/debug.h */
    uint8_t many;          /* with replay: many executions, by workers, each judged as in a replay */
    uint8_t show_output;   /* replay: keep the captured output of a clean run too */
    uint8_t by_index;      /* the strategy samples: workers share the indices, not a space */
    uint8_t judged;        /* enum hd_judging */
    uint32_t worker;       /* whose wire this is, from 0 ... */
    uint32_t nworkers;     /* ... of so many */
    struct hd_filters filters; /* addresses are those of the program's file */
};

/* A heddle_assume of the program. */
struct hd_assumption {
    char where[112]; /* "f.c:12" */
    uint32_t failed;
    uint32_t passed; /* by some thread */
};

/* A loaded object of the target, in load order (0 is the program). */
struct hd_module {
    char path[256];
    uint64_t bias;   /* address = bias + offset in the file's address space */
    uint64_t lo, hi; /* range of addresses */
    uint8_t build_id[32];
    uint32_t build_id_len;
    uint32_t instrumented; /* imports __tsan_* */
};

/* Is there one execution only, and no worker to lose? */
static inline bool hd_config_runs_once(const struct hd_config *c)
{
    return c->replay && !c->many;
}

/* Does a worker wait to hear which findings count?  In a replay they are merely told apart
 * as they were in the search. */
static inline bool hd_config_awaits_suppression(const struct hd_config *c)
{
    return c->judged && !c->replay;
}

/* Does a finding of that kind end a search without --keep-going?  Where racing accesses are
 * points, the question is what becomes of a race. */
static inline bool hd_config_stops_at(const struct hd_config *c, enum hd_finding_kind kind)
{
    return kind != HD_FK_DATA_RACE || c->points == HD_POINTS_SYNC;
}

/* Sections that follow a finding's head, each 8-byte aligned:
 * struct hd_section, then bytes of payload. */
enum hd_section_type {
    HD_SEC_END,
    HD_SEC_DECISIONS, /* struct hd_decision[count]: the schedule up to the finding */
    HD_SEC_EVENTS,    /* struct hd_event[count], the last HD_EVENTS_KEPT */
    HD_SEC_THREADS,   /* struct hd_thread_info[count] */
    HD_SEC_PENDING,   /* struct hd_event[count], one per thread */
    HD_SEC_CALLS,     /* of thread tid: uint64_t[count], outermost call first (shadow call stack) */
    HD_SEC_STACK,     /* of thread tid: struct hd_stack_image, then its bytes */
    HD_SEC_HOLDS,     /* struct hd_hold[count]: who holds what */
    HD_SEC_OUTPUT,    /* what the program printed: bytes */
    HD_SEC_SLOTS,     /* struct hd_slot[count] */
    HD_SEC_BLOCK,     /* struct hd_block_info: the heap block that it is about */
    HD_SEC_RACE,      /* of a data race: struct hd_race_info */
    HD_SEC_CYCLE,     /* of a livelock: struct hd_cycle_info */
    HD_SEC_POLLED,    /* of a livelock: struct hd_polled[count] */
    HD_SEC_BLOCKED_STATES,    /* of a deadlock: struct hd_stand[count], those of a cycle first and in its order */
    HD_SEC_LOCKS,     /* of a warning about locks: struct hd_lock_step[count] */
};

#define HD_EVENTS_KEPT 200000

struct hd_section {
    uint32_t type; /* enum hd_section_type */
    uint32_t tid;
    uint32_t count;
    uint32_t pad;
    uint64_t bytes; /* of payload, without padding */
};

/* Registers and memory of a thread that stands still, for unwinding with the
 * debug information outside the target. */
struct hd_stack_image {
    uint64_t pc, sp, rbp, rbx, r12, r13, r14, r15;
    uint64_t lo;    /* address of the first byte that follows */
    uint64_t bytes; /* how many follow */
};

/* Where a thread was: what HD_SEC_CALLS and HD_SEC_STACK are of one that stands still. */
#define HD_CAPTURED_CALLS 256
#define HD_CAPTURED_BYTES 16384
struct hd_capture {
    uint64_t pc;
    uint32_t position; /* events that had happened */
    hd_tid tid;
    uint32_t ncalls;
    uint64_t calls[HD_CAPTURED_CALLS];
    struct hd_stack_image image;
    unsigned char stack[HD_CAPTURED_BYTES]; /* image.bytes of them */
};

struct hd_race_info {
    struct hd_race race;
    hd_cname name;     /* of its first byte */
    uint32_t nskipped; /* events before those of HD_SEC_EVENTS */
};

/* Of the first access of a race nothing was kept but its pc, and of a lock that was taken
 * neither.  The rest comes from running the schedule once more, with somebody looking
 * (runtime/watch/witness.c). */
#define HD_WITNESS_EVENTS (2 * HD_LOCK_CYCLE)
/* The calls that lead to an event, innermost first, 0 after the last: enough to get out of
 * the headers of a library. */
#define HD_TRAILS 4096
struct hd_trail {
    uint64_t calls[16];
};
struct hd_witness {
    uint32_t wants_trails;           /* conductor, before the replay */
    uint32_t ntrails;                /* of the first so many events */
    struct hd_trail trail[HD_TRAILS];
    /* stacks of the threads at these events: conductor, before the replay */
    uint32_t nwanted;
    uint32_t wanted[HD_WITNESS_EVENTS];           /* their numbers */
    struct hd_capture event[HD_WITNESS_EVENTS];   /* pc 0: it was not seen */
    struct hd_race race; /* conductor, before the replay; size 0: nobody looks */
    uint32_t seen;       /* the race was, and all that follows is valid */
    uint32_t labels;     /* enum hd_race_label */
    uint8_t valued[2];   /* what the first and the second access read or wrote is known: ... */
    uint64_t value[2];   /* ... of the bytes that race */
    struct hd_capture first;
    struct hd_capture allocation; /* of the heap block around it; pc 0: none was seen */
    uint64_t block, block_size;
    struct hd_capture created[2]; /* the threads of both accesses; pc 0: main, or not seen */
};

/* Events (of HD_SEC_EVENTS) that lead back to where they began. */
struct hd_cycle_info {
    uint32_t first, end;
};

/* What a thread that polls for ever has read in its last round. */
struct hd_polled {
    hd_tid tid;
    uint8_t size;   /* of memory; 0: another object */
    uint32_t obj;   /* of a visible operation; 0: a plain access */
    hd_cname name;
    uint64_t value;
    uint64_t pc;    /* where the loop comes by */
};

struct hd_hold {
    uint32_t obj;
    uint32_t tid;
    uint64_t pc; /* where it was acquired */
};

struct hd_finding {
    uint64_t size;      /* of the whole record, head included; multiple of 8 */
    uint64_t number;    /* 1, 2, … */
    uint64_t execution; /* counted executions before it, plus one */
    uint64_t index;     /* of its execution in the whole campaign, when workers share indices */
    uint64_t signature; /* equal for findings that are the same to a person */
    uint32_t kind;      /* enum hd_finding_kind */
    uint32_t tid;       /* thread that failed; HD_NO_TID: none in particular */
    uint32_t step;      /* decisions taken so far */
    uint32_t preemptions;
    uint32_t nthreads;
    uint32_t signal;    /* crash: number, else 0 */
    uint64_t address;   /* crash: faulting address */
    uint64_t pc;        /* where, 0 unknown */
    uint64_t sites;     /* how many racing sites were points in its execution */
    uint32_t warning;   /* enum hd_warning_kind: when not 0, it is no finding, and kind means nothing */
    uint32_t pad;
    char message[512];  /* one sentence, no newline */

    /* when findings are judged (runtime/report/suppression.h) */
    uint64_t occurrence; /* as signature, and equal only when the callers are too */
    uint64_t hit_in;     /* wire.attempts of the execution that had it last ... */
    uint32_t hits;       /* ... and how often */
    uint32_t judgement;  /* enum hd_judgement, by the conductor */
};

enum hd_judgement { HD_NOT_JUDGED, HD_COUNTS, HD_SUPPRESSED };

struct hd_slot {
    uint16_t parent; /* slot of the parent; own number for main (0) */
    uint16_t nth;
};

/* A place whose accesses race. */
struct hd_site {
    hd_cname name; /* of the return address; 0: the table ends here */
    uint64_t from; /* of a search that samples: index of the first execution in which it is a
                    * point; 0 not yet known */
};

/* A race that an interleaving nearly showed (detect/predict.h). */
#define HD_MAX_PREDICTIONS 256
struct hd_prediction {
    uint64_t key;   /* of the pair of places; 0: the table ends here */
    uint32_t ready; /* the rest is valid */
    struct hd_race race;
    hd_cname name;
};

/* Passes of workers that share a space of executions: see runtime/worker/shared_passes.h. */
struct hd_passes {
    uint64_t number; /* of the pass that may be worked on, from 0 ... */
    uint64_t sites;  /* ... and how many of the sites are points in it */
    uint64_t lock;   /* worker + 1 who makes the next one ready */
    uint64_t at[HD_MAX_WORKERS]; /* pass that each worker wants to work on */
};

/* What all workers of a campaign share. */
struct hd_common {
    uint64_t magic;
    uint32_t version;
    uint32_t nworkers;
    uint64_t found;   /* smallest index of an execution with a finding, plus one; 0 none */

    /* slots: (parent << 16 | nth) + 1 of each, 0 free.  Slots are claimed in order by
     * one store each, so a thread has the same slot in all workers. */
    uint32_t slots[HD_MAX_THREADS];

    /* objects: row 0 is unused.  Rows are the same in all workers. */
    uint32_t nobjects;
    struct hd_object_info *objects; /* [HD_MAX_OBJECTS] */
    uint32_t *object_index;         /* [HD_OBJECT_INDEX]: ids by hash of name and type, 0 free */

    /* what heddle_always has read in any execution, by words of 8 bytes, 0 after the last:
     * only grows */
    uint64_t watched[HD_MAX_WATCHED];

    struct hd_unseen_table *unseen; /* conductor, before the targets start; "ran" is theirs */
    struct hd_locked_table *locked; /* conductor, before the targets start */

    struct hd_arena arena; /* for what strategies of several workers share ... */
    uint64_t pass;         /* ... in this pass of the search */
    uint64_t pass_wanted;  /* larger: what was explored so far by reduction is void */
    uint64_t let_go[HD_MAX_WORKERS]; /* for the beginning of which pass the worker waits:
                                      * see runtime/core/restart.h */

    struct hd_site sites[HD_MAX_SITES]; /* in the order of their discovery: they only ever grow */
    struct hd_passes passes;
    uint32_t files_used; /* an execution has changed a file, or wanted to ... */
    uint32_t files_turn; /* ... and this worker + 1 may run one; 0 nobody does: runtime/restore/file_turns.h */
    uint32_t aside;      /* conductor: another target of the same program runs (a second look) */
    struct hd_prediction predictions[HD_MAX_PREDICTIONS];
    struct hd_race_row race_rows[HD_RACE_ROWS]; /* by hash of the key, open addressing */

    /* Executions of each worker: those that a limit on their sum counts, and all that are
     * over.  A line of the cache each, because each is written after every execution. */
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

    char undo[256]; /* conductor: the log of changed files (undo_log.h); empty: one in memory */

    /* while it runs */
    int32_t zygote_pid;
    int32_t worker_pid;
    uint32_t stop;          /* conductor: end after this execution */
    uint32_t watchdog_kill; /* conductor: it asked worker_pid where it hangs, or killed it for that */
    uint32_t watchdog_busy; /* conductor: it was computing all the while */
    uint64_t heartbeat;     /* grows with every execution and every 1,024 steps */
    uint32_t analysing;     /* no code of the target runs: the search looks at what it has seen */
    uint32_t forked;        /* fork isolation is in use ... */
    char fork_reason[128];  /* ... because; empty when the user asked for it */
    uint32_t proven;        /* whether a restart in process restarts the program is known (runtime/worker/selfcheck.h) */
    uint32_t repeating;     /* the worker repeats an execution to find that out */
    uint64_t first_trace;   /* not 0: a hash of what the execution of that index did in another process */
    uint64_t first_index;
    uint32_t children;      /* an execution has started another process */
    uint32_t workers_lost;  /* deaths that were survived */
    uint32_t worker_done;   /* the worker ends by its own will, and not because the target does */
    uint32_t restarts;      /* how often the search has begun anew: its pass */
    uint64_t discarded;     /* executions begun before that */
    char refusal[512];      /* phase REFUSED: message with its remedy */
    struct hd_ledger ledger; /* what is not known to be controlled */
    uint32_t untried;        /* enum hd_untried */

    uint32_t nweak;             /* places of atomics weaker than seq_cst, at most HD_MAX_WEAK */
    uint64_t weak[HD_MAX_WEAK]; /* pcs */

    uint32_t nassumptions;
    struct hd_assumption assumptions[HD_MAX_ASSUMPTIONS];
    uint32_t nloops;              /* polling loops that were cut, at most HD_MAX_LOOPS */
    uint64_t loops[HD_MAX_LOOPS]; /* a place in each of them (pcs) */
    uint32_t loop_rounds[HD_MAX_LOOPS]; /* after how many rounds, at least */

    /* the program */
    uint32_t nmodules;
    struct hd_module modules[HD_MAX_MODULES];
    uint32_t nlate; /* objects that it has loaded while it ran, each once */
    char late[HD_MAX_LATE][256];

    /* the search */
    struct hd_campaign campaign;
    struct hd_arena arena;
    struct hd_execution exec;
    uint32_t nrecorded;
    struct hd_decision *recorded; /* [HD_MAX_STEPS], written by the conductor for replay */
    struct hd_plan plan;          /* the same for one schedule after the other */
    struct hd_witness witness;

    /* races of the running execution, each once: 2 * row + order */
    uint32_t nraced;
    uint32_t raced[HD_MAX_RACED];

    struct hd_common *common;

    /* findings */
    uint64_t nfindings; /* and warnings */
    uint32_t nwarnings;
    uint64_t nstopping; /* of them, such that end a search without --keep-going ... */
    uint64_t found_in;  /* ... and index of the execution that had the first one */
    uint64_t findings_used;
    unsigned char *findings;
    uint64_t nsettled;  /* of them, such that what they mean for the search is done */
    uint64_t attempts;  /* executions begun, those included that were begun again */
    uint64_t finding_hits; /* executions whose finding had a known signature */

    /* leaks: what executions have lost, and the first one as it would be reported
     * should a later one lose less; size 0: nothing is kept */
    struct hd_leaks leaks;
    unsigned char *kept; /* [HD_KEPT_BYTES] */
    uint64_t kept_size;
};

/* The conductor's view. */
struct hd_wires {
    int fd; /* open without CLOEXEC */
    uint32_t n;
    struct hd_common *common;
    struct hd_wire *wire[HD_MAX_WORKERS];
};

/* Conductor: make the memory file for n workers and map all of it.  False with errno
 * set when that fails; nothing is left of it then. */
bool hd_wires_create(struct hd_wires *ws, uint32_t n);
void hd_wires_destroy(struct hd_wires *ws);

/* Where the parts of a wire are; and whether it says so. */
void hd_wire_point(struct hd_wire *w, uint32_t worker, struct hd_common *common);
bool hd_wire_pointers_hold(const struct hd_wire *w, uint32_t worker);

/* Target: map the common part and the wire of that worker from the file that
 * descriptor fd names, which must fit this version; NULL when it does not. */
struct hd_wire *hd_wire_attach(int fd, uint32_t worker);

/* The slot of the nth child of the thread in slot parent, claimed when there is none;
 * HD_MAX_THREADS when there are too many. */
uint32_t hd_common_slot(struct hd_common *c, uint32_t parent, uint32_t nth);
/* Is it slot s? */
bool hd_common_is_slot(const struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth);

/* The slots that are claimed, into out[HD_MAX_THREADS]; returns how many (main's is
 * always there). */
uint32_t hd_common_slots(const struct hd_common *c, struct hd_slot *out);

/* For a replay: slot number s is that thread's. */
void hd_common_set_slot(struct hd_common *c, uint32_t s, uint32_t parent, uint32_t nth);

/* How many racing sites are known. */
uint32_t hd_common_sites(const struct hd_common *c);

/* There is a finding in the execution of that index. */
void hd_common_found(struct hd_common *c, uint64_t index);

/* Walk the findings: first(w), then next(w, f), NULL at the end. */
const struct hd_finding *hd_wire_finding_first(const struct hd_wire *w);
const struct hd_finding *hd_wire_finding_next(const struct hd_wire *w, const struct hd_finding *f);

/* The first section of that type (and thread, when tid is not HD_NO_TID); NULL
 * when there is none.  The payload follows the returned head. */
const struct hd_section *hd_finding_section(const struct hd_finding *f, enum hd_section_type type,
                                            hd_tid tid);

#endif
