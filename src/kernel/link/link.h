/* SPDX-License-Identifier: BSD-2-Clause
 *
 * link.h - the memory that the tool and the plugin inside QEMU share, and the contract of the two.
 *
 * The tool (kernel/drive) starts QEMU, lets the kernel boot up to the function `begin`, takes a
 * snapshot there and then, for each execution, loads the snapshot and lets the kernel run.  The
 * plugin (kernel/plugin) counts instructions, decides where a timer interrupt comes, and says how
 * the execution ended.
 *
 * L1  An execution belongs to the plugin from the moment the tool sets `command` to HD_KC_RUN (the
 *     guest is stopped then) until the plugin sets `phase` to HD_KP_OVER.  Each side writes only
 *     while it owns the execution.  After OVER the plugin ignores what the guest still does.
 * L2  The file is mapped at the same address in every QEMU of a session: the search keeps pointers,
 *     and a QEMU that died is replaced by another one that goes on.
 * L3  Addresses of the guest are linear; ram[address - offset] is the byte there.
 * L4  In Linux a run from the snapshot has several executions, one after another, without loading the
 *     snapshot in between: it ends after `batch` of them, or with the first one that is not clean.  The
 *     schedule in `ticks` is that of all of them. */
#ifndef HD_KERNEL_LINK_LINK_H
#define HD_KERNEL_LINK_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/campaign.h"
#include "model/execution.h"

#define HD_KLINK_MAGIC UINT64_C(0x31303072656b6468)
#define HD_KLINK_ADDRESS UINT64_C(0x6a0000000000)
#define HD_KLINK_ARENA ((size_t)1 << 30)

#define HD_K_FUNCTIONS 8192 /* functions of a kernel */
#define HD_K_CODE (4u << 20) /* bytes of its code */
#define HD_K_CONTEXTS 64 /* threads of an execution, and the timer */
#define HD_K_FRAMES 24
#define HD_K_LOG 4096
#define HD_K_TICKS 65536 /* interrupts of a schedule */
#define HD_K_SITES 8192

/* What the description of a kernel says about a function (drive/describe.h explains each). */
enum hd_k_role {
    HD_KR_NONE,
    HD_KR_BEGIN,
    HD_KR_END,
    HD_KR_PANIC,
    HD_KR_FAULT,
    HD_KR_TIMER,
    HD_KR_INTERRUPT,
    HD_KR_BLOCK,
    HD_KR_UNBLOCK,
    HD_KR_EXIT,
    HD_KR_YIELD,
    HD_KR_SLEEP,
    HD_KR_IDLE,
    HD_KR_ACQUIRE,
    HD_KR_RELEASE,
    HD_KR_DOWN,
    HD_KR_UP,
    HD_KR_ALLOCATED,
    HD_KR_FREED,
    HD_KR_QUIET,
    /* Linux */
    HD_KR_SCHEDULE, /* the current task gives up the processor */
    HD_KR_WAKE,     /* makes a task ready */
    HD_KR_SYSCALL,  /* begins a system call */
    HD_KR_COMPLAIN, /* prints about a mistake and goes on */
    HD_KR_ROLES
};

struct hd_k_function {
    uint64_t address;
    uint32_t size;
    uint8_t role;     /* enum hd_k_role */
    int8_t within;    /* 1: points are wanted below it, -1: unwanted; later rules are larger */
    uint16_t rule;    /* number of the rule that said so, from 1 */
    uint32_t bytes;   /* ALLOCATED, FREED: size of a block; PANIC: number of the argument with the text */
};

enum hd_k_command { HD_KC_NONE, HD_KC_RUN };
enum hd_k_phase { HD_KP_BOOT, HD_KP_BETWEEN /* executions of a run */, HD_KP_RUNNING, HD_KP_OVER, HD_KP_EXHAUSTED };

enum hd_k_why { /* why a context stopped, or why an interrupt could come here */
    HD_KW_NONE,
    HD_KW_ACQUIRE,
    HD_KW_RELEASE,
    HD_KW_DOWN,
    HD_KW_UP,
    HD_KW_CLI,
    HD_KW_STI,
    HD_KW_ACCESS,
    HD_KW_IDLE,
    HD_KW_BLOCKED,
    HD_KW_YIELD,
    HD_KW_ENDED,
    HD_KW_START,
    HD_KW_SYSCALL,
    HD_KW_WORDS
};

enum hd_k_end {
    HD_KE_NONE,
    HD_KE_CLEAN,
    HD_KE_PANIC,
    HD_KE_FAULT,
    HD_KE_DEADLOCK,
    HD_KE_HANG,
    HD_KE_FREED,    /* use after free */
    HD_KE_DIED,     /* QEMU ended: triple fault, or reset */
    HD_KE_CUT,      /* by the strategy */
    HD_KE_DIVERGED,
    HD_KE_TOO_MANY, /* contexts: Heddle's limit */
    HD_KE_WRONG,    /* the test says that a result is wrong */
    HD_KE_ENDS
};

/* An interrupt of a schedule, named so that it can be found in a kernel that was built again. */
struct hd_k_tick {
    uint16_t context;    /* that was interrupted */
    uint16_t want;       /* context that is to run then; 0: whichever the kernel chooses */
    uint64_t address;    /* of the instruction before it */
    uint32_t window;     /* number of the execution in its run, from 0 */
    uint32_t occurrence; /* the how-manieth point of the context at this address, from 1 */
    uint32_t step;       /* number of the point in the execution */
    uint32_t used;       /* it has come, in the execution that follows the schedule */
};

enum hd_k_row { HD_KLOG_TICK, HD_KLOG_SWITCH, HD_KLOG_END, HD_KLOG_CALL };

/* One row of the report: a context stopped, or was interrupted, here. */
struct hd_k_log {
    uint8_t row;       /* enum hd_k_row */
    uint8_t why;       /* enum hd_k_why */
    uint16_t context;
    uint16_t next;     /* SWITCH: the context that runs now */
    uint16_t nframes;
    uint64_t object;   /* lock, semaphore or memory, 0: none; CALL: number of the line that the test has sent */
    uint32_t step;
    uint64_t pc[HD_K_FRAMES]; /* [0]: where it is; then the calls, innermost first */
};

enum hd_k_state { HD_KS_READY, HD_KS_BLOCKED, HD_KS_ENDED };

struct hd_k_context {
    uint32_t block;   /* the aligned block with its stack; 0: the timer */
    uint64_t thread;  /* address of its record, as unblock got it; 0: unknown */
    uint8_t state;    /* enum hd_k_state */
    bool idle, blocking, exiting;
    bool unreachable; /* the kernel did not choose it although every tick was given to it */
    uint8_t in_interrupt;
    uint16_t nframes;
    uint32_t wants;   /* lock that it is acquiring; 0: none */
    uint64_t pc;
    uint32_t points;
    uint32_t yields;  /* in a row */
    char name[16];
    struct hd_k_frame {
        uint64_t slot;     /* where the return address lies; 0: an interrupt */
        uint64_t call, back; /* address of the call, and after it */
        uint32_t argument;
        uint16_t function; /* that was called: index + 1; 0: unknown */
    } frame[HD_K_FRAMES];  /* the outermost first; calls deeper than that are not kept */
};

struct hd_k_lock {
    uint32_t address;
    uint16_t owner;
};

#define HD_K_LOCKS 64

/* Counters of the whole session. */
struct hd_k_counters {
    uint64_t executions, instructions, points, ticks, switches, starved, unreachable, idle_ticks;
    uint64_t late; /* interrupts that did not come right after their instruction: QEMU is to blame */
};

struct hd_klink {
    uint64_t magic;
    /* ---- from the tool ---- */
    char ram_path[108], qtest_path[108], pic_path[128], strategy[128];
    uint64_t ram_size;
    int32_t name_offset; /* of a thread's name in its record; -1: none */
    bool name_pointer; /* the record has a pointer to it */
    uint32_t offset, stack, code_low, code_high;
    uint32_t max_instructions, max_points, idle_ticks;
    uint32_t nfunctions;
    bool whitelist; /* some function is --within */
    bool recorded;  /* the ticks below are the schedule; nothing is searched */
    bool died;      /* the last execution ended QEMU itself */
    uint64_t seed;
    int64_t bound;
    uint32_t nticks;
    uint32_t batch;    /* L4 */
    bool is_linux;        /* the kernel is Linux; what follows is then known */
    uint64_t current_at, count_at; /* places in `ram` of the current task and of preempt_count */
    uint64_t percpu_low, percpu_high; /* linear addresses of the processor's own variables */
    uint32_t idle_halts; /* so many halts without anything to run are a deadlock */
    uint32_t start_sp; /* at the snapshot */
    bool start_enabled; /* interrupts, at the snapshot */
    /* ---- both ---- */
    uint32_t command, phase; /* L1 */
    uint64_t alive;          /* grows while instructions run */
    /* ---- from the plugin: the execution ---- */
    uint32_t end;            /* enum hd_k_end */
    uint64_t end_object;     /* address that was freed; instruction that caused an exception */
    char end_text[128];      /* argument of panic */
    uint16_t end_context, freed_by;
    uint64_t freed_pc;
    uint64_t instructions, hash;
    uint32_t window, nlines; /* of this run so far: executions, lines that the test has sent */
    uint32_t points, nlog, log_lost, ncontexts, nlocks, matched;
    uint32_t nsites, active; /* racing sites: known; points in this execution */
    struct hd_k_counters total;
    struct hd_k_context context[HD_K_CONTEXTS];
    struct hd_k_lock lock[HD_K_LOCKS];
    struct hd_k_log log[HD_K_LOG];
    uint64_t sites[HD_K_SITES]; /* instructions that race, found so far */
    struct hd_k_tick ticks[HD_K_TICKS];
    struct hd_k_function function[HD_K_FUNCTIONS];
    uint16_t function_of[HD_K_CODE]; /* index + 1, by address - code_low */
    /* ---- the search ---- */
    struct hd_campaign campaign;
    struct hd_execution execution;
    struct hd_arena arena; /* of `memory` */
    struct hd_decision decisions[HD_MAX_STEPS];
    uint32_t stands[HD_MAX_STEPS];
    struct hd_event events[HD_MAX_STEPS];
    _Alignas(4096) unsigned char memory[HD_KLINK_ARENA];
};

#endif
