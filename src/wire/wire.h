/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wire.h - everything that conductor, zygote and workers share: one sparse
 * memory file, mapped at the same address in every process, so that pointers
 * into it mean the same everywhere.
 *
 * Who writes what:
 *   conductor   config, modules' wishes (recorded, slots for a replay) before the
 *               target starts; stop and watchdog_kill while it runs
 *   target      all the rest
 *
 * W1  A finding is complete before findings_used grows past it.
 * W2  Totals change only by the one store at the end of hd_search_end.
 * W3  A worker may die at any instruction; the zygote goes on from the totals. */
#ifndef HD_WIRE_WIRE_H
#define HD_WIRE_WIRE_H

#include <stddef.h>

#include "base/arena.h"
#include "model/campaign.h"
#include "model/execution.h"
#include "model/finding.h"
#include "model/heap.h"
#include "model/object.h"

#define HD_WIRE_MAGIC UINT64_C(0x31656c6464656821) /* "!heddle1" */
#define HD_WIRE_VERSION 1
#define HD_WIRE_ADDR UINT64_C(0x600000000000)
#define HD_WIRE_ENV "HEDDLE_WIRE" /* descriptor number of the memory file */

#define HD_MAX_OBJECTS (1u << 20)
#define HD_OBJECT_INDEX (2 * HD_MAX_OBJECTS)
#define HD_MAX_MODULES 256
#define HD_MAX_UNCONTROLLED 32
#define HD_FINDINGS_BYTES (UINT64_C(1) << 30)
#define HD_KEPT_BYTES (UINT64_C(1) << 28)
#define HD_ARENA_BYTES (UINT64_C(1) << 36)

enum hd_isolation { HD_ISO_AUTO, HD_ISO_INPROC, HD_ISO_FORK };
enum hd_points { HD_POINTS_SYNC, HD_POINTS_RACES, HD_POINTS_ALL };

struct hd_config {
    char strategy[64]; /* name, with a reducer: "dfs+cache" */
    char params[128];  /* "k=v,k=v" or empty */
    int64_t bound;     /* -1 none */
    uint64_t seed;
    uint64_t max_executions; /* counted; 0 = no limit */
    uint32_t max_steps;
    uint32_t loop_bound;
    uint32_t exit_grace;
    uint32_t leak_expected; /* replay of a leak: blocks that are lost anyway ... */
    uint64_t leak_site;     /* ... and where they come from (struct hd_block_info) */
    uint8_t isolation;     /* enum hd_isolation */
    uint8_t points;        /* enum hd_points */
    uint8_t races;         /* look for data races */
    uint8_t timeouts_idle; /* a timed operation times out only when nothing else can run */
    uint8_t recycle;       /* the heap gives a thread what it freed last */
    uint8_t study;         /* conventions of the SCT study: see docs/glossary.md */
    uint8_t keep_going;    /* do not stop at the first finding */
    uint8_t replay;        /* one execution of recorded, in the zygote itself: no fork */
    uint8_t samples;       /* the strategy draws its executions and never completes */
    uint8_t show_output;   /* replay: keep the captured output of a clean run too */
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

/* Sections that follow a finding's head, each 8-byte aligned:
 * struct hd_section, then bytes of payload. */
enum hd_section_type {
    HD_SEC_END,
    HD_SEC_DECISIONS, /* struct hd_decision[count]: the schedule up to the finding */
    HD_SEC_EVENTS,    /* struct hd_event[count] */
    HD_SEC_THREADS,   /* struct hd_thread_info[count] */
    HD_SEC_PENDING,   /* struct hd_event[count], one per thread */
    HD_SEC_CALLS,     /* of thread tid: uint64_t[count], outermost call first (shadow call stack) */
    HD_SEC_STACK,     /* of thread tid: struct hd_stack_image, then its bytes */
    HD_SEC_HOLDS,     /* struct hd_hold[count]: who holds what */
    HD_SEC_OUTPUT,    /* what the program printed: bytes */
    HD_SEC_SLOTS,     /* struct hd_slot[count] */
    HD_SEC_BLOCK,     /* struct hd_block_info: the heap block that it is about */
};

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

struct hd_hold {
    uint32_t obj;
    uint32_t tid;
    uint64_t pc; /* where it was acquired */
};

struct hd_finding {
    uint64_t size;      /* of the whole record, head included; multiple of 8 */
    uint64_t number;    /* 1, 2, … */
    uint64_t execution; /* counted executions before it, plus one */
    uint64_t signature; /* equal for findings that are the same to a person */
    uint32_t kind;      /* enum hd_finding_kind */
    uint32_t tid;       /* thread that failed; HD_NO_TID: none in particular */
    uint32_t step;      /* decisions taken so far */
    uint32_t preemptions;
    uint32_t nthreads;
    uint32_t signal;    /* crash: number, else 0 */
    uint64_t address;   /* crash: faulting address */
    uint64_t pc;        /* where, 0 unknown */
    char message[512];  /* one sentence, no newline */
};

struct hd_slot {
    uint16_t parent; /* slot of the parent; own number for main (0) */
    uint16_t nth;
};

enum hd_phase { HD_PHASE_START, HD_PHASE_RUNNING, HD_PHASE_DONE, HD_PHASE_REFUSED };

struct hd_wire {
    uint64_t magic;
    uint32_t version;
    uint32_t phase; /* enum hd_phase */
    struct hd_config config;

    /* while it runs */
    int32_t zygote_pid;
    int32_t worker_pid;
    uint32_t stop;          /* conductor: end after this execution */
    uint32_t watchdog_kill; /* conductor: it killed worker_pid because it hung */
    uint64_t heartbeat;     /* grows with every execution and every 1,024 steps */
    uint32_t forked;        /* fork isolation is in use ... */
    char fork_reason[128];  /* ... because; empty when the user asked for it */
    uint32_t workers_lost;  /* deaths that were survived */
    uint32_t worker_done;   /* the worker ends by its own will, and not because the target does */
    char refusal[512];      /* phase REFUSED: message with its remedy */
    uint32_t nuncontrolled;
    char uncontrolled[HD_MAX_UNCONTROLLED][128];

    /* the program */
    uint32_t nmodules;
    struct hd_module modules[HD_MAX_MODULES];
    uint32_t nslots;
    struct hd_slot slots[HD_MAX_THREADS];

    /* the search */
    struct hd_campaign campaign;
    struct hd_arena arena;
    struct hd_execution exec;
    uint32_t nrecorded;
    struct hd_decision *recorded; /* [HD_MAX_STEPS], written by the conductor for replay */

    /* objects: row 0 is unused */
    uint32_t nobjects;
    struct hd_object_info *objects; /* [HD_MAX_OBJECTS] */
    uint32_t *object_index;         /* [HD_OBJECT_INDEX]: ids by hash of name and type, 0 free */

    /* findings */
    uint64_t nfindings;
    uint64_t found_in; /* index of the execution that had the first one */
    uint64_t findings_used;
    unsigned char *findings;
    uint64_t finding_hits; /* executions whose finding had a known signature */

    /* leaks: what executions have lost, and the first one as it would be reported
     * should a later one lose less; size 0: nothing is kept */
    struct hd_leaks leaks;
    unsigned char *kept; /* [HD_KEPT_BYTES] */
    uint64_t kept_size;
};

/* Conductor: make the memory file and map it; *fd is open without CLOEXEC.
 * NULL with errno set when that fails. */
struct hd_wire *hd_wire_create(int *fd);

/* Target: map the file that descriptor fd names, which must fit this version;
 * NULL when it does not. */
struct hd_wire *hd_wire_attach(int fd);

void hd_wire_destroy(struct hd_wire *w, int fd);

/* Walk the findings: first(w), then next(w, f), NULL at the end. */
const struct hd_finding *hd_wire_finding_first(const struct hd_wire *w);
const struct hd_finding *hd_wire_finding_next(const struct hd_wire *w, const struct hd_finding *f);

/* The first section of that type (and thread, when tid is not HD_NO_TID); NULL
 * when there is none.  The payload follows the returned head. */
const struct hd_section *hd_finding_section(const struct hd_finding *f, enum hd_section_type type,
                                            hd_tid tid);

#endif
