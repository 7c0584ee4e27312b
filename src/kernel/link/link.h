/* SPDX-License-Identifier: BSD-2-Clause
 *
 * link.h - the memory that the tool and the plugin inside QEMU share, and the rules that both follow.
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
 *     and if a QEMU has died, another one continues with the same file.
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

#define HD_K_FUNCTIONS 8192 /* maximum number of functions of a kernel */
#define HD_K_CODE (4u << 20) /* maximum size of its code in bytes */
#define HD_K_CONTEXTS 64 /* maximum number of threads of an execution, including the timer */
#define HD_K_FRAMES 24
#define HD_K_LOG 4096
#define HD_K_TICKS 65536 /* maximum number of interrupts of a schedule */
#define HD_K_SITES 8192

/* The role of a function in the description of a kernel (explained in drive/describe.h). */
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
    HD_KR_COMPLAIN, /* reports an error and continues */
    HD_KR_ROLES
};

struct hd_k_function {
    uint64_t address;
    uint32_t size;
    uint8_t role;     /* enum hd_k_role */
    int8_t within;    /* set by --within and --without; 1: points below it are wanted, -1: not wanted */
    uint16_t rule;    /* number of the rule that set `within`, from 1; the rule with the larger number decides */
    uint32_t bytes;   /* ALLOCATED, FREED: size of a block; PANIC: number of the argument with the text */
};

enum hd_k_command { HD_KC_NONE, HD_KC_RUN };
enum hd_k_phase {
    HD_KP_BOOT,
    HD_KP_BETWEEN, /* between two executions of a run */
    HD_KP_RUNNING,
    HD_KP_OVER,
    HD_KP_EXHAUSTED
};

enum hd_k_why { /* why a context stopped, or why an interrupt is possible here */
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
    HD_KE_CUT,      /* ended by the strategy */
    HD_KE_DIVERGED,
    HD_KE_TOO_MANY, /* more contexts than HD_K_CONTEXTS */
    HD_KE_WRONG,    /* the test reports a wrong result */
    HD_KE_ENDS
};

/* An interrupt of a schedule.  It is identified in such a way that it can be found in a new build of the kernel. */
struct hd_k_tick {
    uint16_t context;    /* context that is interrupted */
    uint16_t want;       /* context that must run next; 0: the kernel chooses */
    uint64_t address;    /* address of the instruction before the interrupt */
    uint32_t window;     /* number of the execution in its run, from 0 */
    uint32_t occurrence; /* counts the points of the context at this address, from 1 */
    uint32_t step;       /* number of the point in the execution */
    uint32_t used;       /* the interrupt has occurred in the execution that follows the schedule */
};

enum hd_k_row { HD_KLOG_TICK, HD_KLOG_SWITCH, HD_KLOG_END, HD_KLOG_CALL };

/* A row of the report: a context stopped or was interrupted here. */
struct hd_k_log {
    uint8_t row;       /* enum hd_k_row */
    uint8_t why;       /* enum hd_k_why */
    uint16_t context;
    uint16_t next;     /* for SWITCH: the context that runs next */
    uint16_t nframes;
    uint64_t object;   /* lock, semaphore or memory; 0: none; for CALL: number of the line that the test has sent */
    uint32_t step;
    uint64_t pc[HD_K_FRAMES]; /* [0]: current position; then the callers, innermost first */
};

enum hd_k_state { HD_KS_READY, HD_KS_BLOCKED, HD_KS_ENDED };

struct hd_k_context {
    uint32_t block;   /* address of the aligned block that contains its stack; 0: the timer */
    uint64_t thread;  /* address of its record, as passed to the unblock function; 0: unknown */
    uint8_t state;    /* enum hd_k_state */
    bool idle, blocking, exiting;
    bool unreachable; /* the kernel did not choose it although all ticks were injected for it */
    uint8_t in_interrupt;
    uint16_t nframes;
    uint32_t wants;   /* address of the lock that it is acquiring; 0: none */
    uint64_t pc;
    uint32_t points;
    uint32_t yields;  /* number of consecutive yields */
    char name[16];
    struct hd_k_frame {
        uint64_t slot;     /* address of the return address on the stack; 0: an interrupt */
        uint64_t call, back; /* address of the call and of the instruction after it */
        uint32_t argument;
        uint16_t function; /* 1 + index of the called function; 0: unknown */
    } frame[HD_K_FRAMES];  /* outermost first; deeper calls are not stored */
};

struct hd_k_lock {
    uint32_t address;
    uint16_t owner;
};

#define HD_K_LOCKS 64

struct hd_k_access {
    uint64_t address, pc;
    uint64_t at; /* number of the instruction in the execution */
    uint16_t context;
    uint8_t bytes;
    bool store, atomic;
};

#define HD_K_RACES 256
#define HD_K_RACE_TICKS 48

/* A data race: `second` was about to happen when `first` happened. */
struct hd_k_race {
    struct hd_k_access first, second;
    uint32_t count, nticks;
    bool seen; /* set each time the race occurs, also in replays */
    struct hd_k_tick tick[HD_K_RACE_TICKS]; /* schedule that leads to it; the last one is right before `second` */
};

/* Counters of the whole session. */
struct hd_k_counters {
    uint64_t executions, instructions, points, ticks, switches, starved, unreachable, idle_ticks;
    uint64_t late; /* number of interrupts that did not come directly after their instruction, which is QEMU's fault */
};

struct hd_klink {
    uint64_t magic;
    /* ---- from the tool ---- */
    char ram_path[108], qtest_path[108], pic_path[128], strategy[128];
    uint64_t ram_size;
    int32_t name_offset; /* offset of the thread's name in its record; -1: none */
    bool name_pointer; /* the record contains a pointer to the name, not the name */
    uint32_t offset, stack, code_low, code_high;
    uint32_t max_instructions, max_points, idle_ticks;
    uint32_t nfunctions;
    bool whitelist; /* there is a --within */
    bool recorded;  /* the ticks below are the schedule to follow; there is no search */
    bool died;      /* the last execution has ended QEMU */
    uint64_t seed;
    int64_t bound;
    uint32_t nticks;
    uint32_t batch;    /* L4 */
    bool races;           /* look for data races (Linux) */
    bool is_linux;        /* the kernel is Linux; then the following fields are valid */
    uint64_t current_at, count_at; /* offsets in `ram` of the current task and of preempt_count */
    uint64_t percpu_low, percpu_high; /* range of linear addresses of the per-CPU variables */
    uint32_t idle_halts; /* after this many halts without a thread to run there is a deadlock */
    uint32_t start_sp; /* stack pointer at the snapshot */
    bool start_enabled; /* interrupt flag at the snapshot */
    /* ---- both ---- */
    uint32_t command, phase; /* L1 */
    uint64_t alive;          /* grows while instructions run */
    /* ---- from the plugin: the execution ---- */
    uint32_t end;            /* enum hd_k_end */
    uint64_t end_object;     /* address of the freed memory, or of the instruction that caused an exception */
    char end_text[128];      /* argument of panic */
    uint16_t end_context, freed_by;
    uint64_t freed_pc;
    uint64_t instructions, hash;
    uint32_t window, nlines; /* for this run so far: number of executions, number of lines from the test */
    uint32_t points, nlog, log_lost, ncontexts, nlocks, matched;
    uint32_t nraces;
    uint32_t nsites, active; /* number of racing sites that are known, and of those that are points in this execution */
    struct hd_k_counters total;
    struct hd_k_context context[HD_K_CONTEXTS];
    struct hd_k_lock lock[HD_K_LOCKS];
    struct hd_k_log log[HD_K_LOG];
    uint64_t sites[HD_K_SITES]; /* addresses of the racing instructions found so far */
    struct hd_k_race race[HD_K_RACES];
    struct hd_k_tick ticks[HD_K_TICKS];
    struct hd_k_function function[HD_K_FUNCTIONS];
    uint16_t function_of[HD_K_CODE]; /* 1 + index of the function, by address - code_low */
    /* ---- the search ---- */
    struct hd_campaign campaign;
    struct hd_execution execution;
    struct hd_arena arena; /* allocates from `memory` */
    struct hd_decision decisions[HD_MAX_STEPS];
    uint32_t stands[HD_MAX_STEPS];
    struct hd_event events[HD_MAX_STEPS];
    _Alignas(4096) unsigned char memory[HD_KLINK_ARENA];
};

#endif
