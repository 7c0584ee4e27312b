/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rt.h - the runtime inside the target: its state, and the calls from which every interceptor and
 * hook is built.
 *
 * Rules of this address space:
 * R1  One kernel thread runs everything; logical threads are fibers on it.  The runtime has no
 *     locks, no __thread variables and no errno of its own.
 * R2  hd.cur is NULL whenever the caller is not a controlled thread: not under Heddle, before main,
 *     in the scheduler's own context, in a forked child of the target.  Every entry point then goes
 *     straight to libc.
 * R3  The runtime calls no function of libc that may allocate, lock, or be interposed by the
 *     runtime itself.  It makes system calls by hd_sys*().
 * R4  A switch of fibers happens only at the gate (gate.c), never inside libc.
 *
 * The life of a visible operation:
 *     struct hd_obj *o = hd_object(addr, HD_OBJ_SEM);
 *     hd_op(HD_EV_SEM_WAIT, o, NULL, HD_PC);   announce, wait for the turn
 *     hd_take_effect(o, HD_EV_SEM_WAIT, 0);     change the model's state (object.h)
 *     hd_done(value, flags);                    record; enable or disable other threads
 * Between hd_op and hd_done no other thread runs.  Checks that need no turn (a wrong argument, an
 * error that depends on the calling thread only) come before hd_op.  Everything that depends on
 * other threads comes after it. */
#ifndef HD_RUNTIME_CORE_RT_H
#define HD_RUNTIME_CORE_RT_H

#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/sys.h"
#include "detect/lines.h"
#include "detect/race.h"
#include "model/sync.h"
#include "runtime/core/memory_map.h"
#include "search/core/search.h"
#include "wire/wire.h"

#define HD_EXPORT __attribute__((visibility("default")))
#define HD_COLD __attribute__((cold, noinline))
#define HD_RETURN_PC ((uint64_t)(uintptr_t)__builtin_return_address(0))

/* ---- objects -------------------------------------------------------------- */

enum hd_obj_flag {
    HD_OF_DESTROYED = 1,
    HD_OF_INCONSISTENT = 4, /* robust mutex: its owner died */
    HD_OF_MONOTONIC = 16,   /* condition: absolute time-outs refer to CLOCK_MONOTONIC */
    HD_OF_GARBAGE = 32,     /* its memory was never initialised; cleared by the report */
};

/* Run-time state of a sync object.  The first use in each execution sets it up from the target's
 * memory, so static initialisers need no call. */
struct hd_obj {
    uint32_t epoch; /* execution for which the fields below are valid */
    uint32_t id;    /* row in the wire's object table; cond/futex tokens: id + 1 */
    uint32_t sig;   /* hash of its canonical name */
    uint8_t type;   /* enum hd_object_type */
    uint8_t flags;  /* enum hd_obj_flag */
    uint8_t attr;   /* kind bits of the libc object; their meaning depends on the type */
    uint8_t overlaps; /* memory: shares bytes with another object; kept for the whole process */
    struct hd_sync_state sync;
    uint32_t *tokens; /* of a queue: stamps of its tokens (model/sync.h) */
    uint32_t robust;
    uint32_t extent;  /* memory: bytes of the largest access; kept for the whole process */
    uint32_t uses;    /* kernel/shared_state.c: number of uses, and the using thread */
    uint32_t user;
    uint64_t addr;
    uint64_t pc;           /* where a thread acquired it last */
    struct hd_obj *second; /* cond: the mutex that its waiters use */
    uint32_t nwatchers;
    uint32_t nlockers;      /* watchers that wait to lock a mutex */
    struct hd_set watchers; /* threads whose pending operation its state may enable or disable */
    struct hd_set readers; /* rwlock: threads that hold it for reading */
};

/* Returns the canonical address of the memory at addr, which may be mapped twice (restore/alias.h). */
uintptr_t hd_alias_of(uintptr_t addr);
static inline uintptr_t hd_canonical(uintptr_t addr);

/* Returns the object at addr, set up for this execution. */
static inline struct hd_obj *hd_object(const volatile void *addr, enum hd_object_type type);
struct hd_obj *hd_object_look_up(const volatile void *addr, enum hd_object_type type);
/* Like hd_object, for *_init: neither checks the object nor reads its state from memory. */
struct hd_obj *hd_object_fresh(const volatile void *addr, enum hd_object_type type);
/* Records that the target has destroyed o.  For a mutex: call after libc's own destroy. */
void hd_object_destroyed(struct hd_obj *o);

/* ---- threads -------------------------------------------------------------- */

struct hd_call {
    uint64_t pc; /* return address of the function, in its caller */
    uint64_t sp;
};

struct hd_thread {
    uint64_t sp; /* saved stack pointer while the thread does not run */
    uint64_t fsbase;
    hd_tid tid;
    uint16_t slot;
    uint8_t state; /* enum hd_thread_state */
    uint8_t detached;
    uint8_t joined;
    uint8_t timed;        /* enum hd_timed, for its wait */
    uint8_t wait_end;     /* enum hd_wait_end, for its wait (kernel/signals.h) */
    uint8_t polls;        /* has a struct hd_poll in use */
    uint8_t just_yielded; /* its last operation was a yield: switching away is no preemption */
    uint8_t parked;       /* has polled repeatedly in the same state: waits for a write */
    uint8_t loop_wait;    /* has used up its idle rounds: waits for a write */
    uint8_t held;         /* enum hd_held: why it was held before its pending operation */
    uint8_t cancel_state; /* PTHREAD_CANCEL_ENABLE is 0 */
    uint8_t cancel_type;
    uint8_t cancel_pending;
    uint32_t cancel_look; /* nsteps + 1 at its last cancellation point */
    uint8_t exiting;      /* running exit handlers */
    uint8_t robust_held;  /* robust mutexes that it holds */
    uint8_t in_section;   /* inside heddle_atomic_begin: passes the gate at once */
    uint8_t new_next;     /* enum hd_new: see calls/new.h */
    uint32_t sections;    /* depth of atomic sections; > 0 without in_section: a wait ended the section */
    uint64_t faults;      /* set of injected faults that come before its next step in every order */
    uint8_t at_visit;     /* progress/cycle.c has looked at it before its pending operation */
    uint8_t called_outside; /* it called uninstrumented code with a lock held (watch/unseen_sections.c) */
    uint32_t grace;       /* operations since exit began */
    uint64_t locks;       /* sum of the signatures of the locks that it holds, 0 if none (held.h) */
    struct hd_obj *obj;   /* objects of the pending operation */
    struct hd_obj *obj2;
    struct hd_obj *waits; /* cond or futex on whose tokens its pending operation depends */
    struct hd_obj *queued; /* cond or futex in whose queue it is */
    const struct hd_io_wait *io; /* what it waits for, while an IO_WAIT or IO_TIMED is pending */
    void *(*fn)(void *);
    void *arg;
    void *retval;
    uint64_t self;        /* its pthread_t */
    size_t stack_size;    /* requested stack size, which the thread sees; 0: the default */
    size_t guard_size;    /* requested guard size */
    uintptr_t stack_lo, stack_hi; /* range of its frames */
    uintptr_t low_sp;     /* lowest stack pointer that the runtime has seen */
    struct hd_call *calls; /* shadow call stack: next free entry, valid while it does not run */
    uint64_t stores;      /* see hd.stores; valid while it does not run */
    uint64_t progress;    /* its events that were not polls */
    uint32_t ring_wait;   /* polling operations until progress/cycle.c looks at it again */
    uint64_t expected;    /* hash of the values that failed compare-and-swaps found since the last look of
                           * progress/poll.c: the target stores such a value in its `expected` variable, and
                           * no hook sees that store */
    uint64_t look;        /* from this progress on, progress/cycle.c looks at its locks */
    uint64_t opaque;      /* calls that may have changed its state unseen by any hook */
    uint32_t children;
    uint32_t stamp;       /* its position in the queue, for tokens */
    uint32_t round;       /* barrier: the round that it waits for */
    uint64_t sigmask;     /* signals that it blocks */
    uint64_t sigpending;  /* signals sent to this thread and not yet taken (kernel/signals.h) */
    void *tls_dtors;      /* list of __cxa_thread_atexit_impl */
} __attribute__((aligned(64)));

/* ---- state ---------------------------------------------------------------- */

/* Why plain accesses take the slow path.  TRACK: the runtime notes reads.  WATCH: it checks writes
 * (both for progress/poll.c).  POINTS: some accesses are scheduling points (watch/points.h). */
enum hd_access_mode {
    HD_MODE_TRACK = 1,
    HD_MODE_WATCH = 2,
    HD_MODE_POINTS = 4,
    HD_MODE_INVARIANT = 8, /* heddle_always evaluates a condition; the runtime notes its reads */
    HD_MODE_ALIAS = 16,    /* memory is mapped twice (restore/alias.h) */
    HD_MODE_PREDICT = 32,  /* watch/predict.h */
};
/* The modes that progress/poll.c neither sets nor clears. */
#define HD_MODE_QUIET (HD_MODE_POINTS | HD_MODE_ALIAS | HD_MODE_PREDICT)

struct hd_rt {
    struct hd_thread *cur; /* R2 */
    /* Hot fields of the running thread, exchanged at a switch. */
    struct hd_call *calls;
    uintptr_t stack_lo;
    uintptr_t stack_len;
    uint64_t stores;      /* instrumented writes outside its own stack */
    hd_line_use writes;   /* how it uses the lines that it writes (detect/lines.h); 0: check every access,
                           * always so while access_mode is not 0 */
    int64_t fuel;         /* plain accesses left until the check for endless loops */
    uint32_t access_mode; /* enum hd_access_mode; nonzero: plain accesses take the slow path */
    uint32_t witness;     /* HD_ACCESS_WITNESS while a witness is recorded (watch/witness.h), else 0 */
    bool races;           /* plain accesses and events also go to the race detector */
    bool invariants;      /* heddle_always: there are invariants to check before each operation */
    bool unfair;          /* some threads repeat a cycle and run last (progress/cycle.h) */
    bool special;         /* threads poll, points are in use, or exit has begun (hd_gate_special) */
    uint32_t nparked;     /* threads that wait for a write to a location */
    uint32_t nloop_wait;  /* threads that have used up their idle rounds */
    uint64_t progress;    /* events of all threads that were not polls */
    uint32_t spins;       /* yields out of loops without an operation, since limits were checked last */
    uint32_t next_look;   /* step at which limits are checked again */
    uint32_t epoch;       /* number of the execution in this process, from 1 */
    uint32_t nslots;      /* slots from this one on were never used in this process */

    struct hd_thread *aside; /* thread for which the runtime calls code of the target outside of the
                              * execution (heddle_always); cur is NULL then */
    struct hd_wire *wire; /* NULL if not under Heddle */
    struct hd_execution *exec;
    const struct hd_config *cfg;
    struct hd_search search;
    struct hd_point point;
    struct hd_set idle;   /* threads that may run only when no other can */
    uint64_t now_ns;      /* virtual time since the process began */
    uint64_t born_ns;     /* virtual time at which main began */
    uint64_t look_progress; /* progress of the thread that read a clock last, at that time */
    uint32_t looks;       /* readings of a clock since that progress */
    uint32_t io_used;     /* the target used descriptors: check them after the execution */
    uint32_t file_locks;  /* stdio streams that a logical thread has locked (flockfile) */
    hd_tid clock_user;    /* first thread that slept or read a clock while several threads existed */
    bool clock_shared;    /* another thread did so, too */
    bool clock_read;      /* one of these threads has read a clock */
    bool maps_used;       /* the target has made mappings */
    bool state_changed;   /* signals, limits, directory or umask: see calls/signal.c */
    uint32_t faults;      /* faults injected so far */
    uint8_t failed;       /* a thread failed: later ends are not findings */
    uint8_t exit_begun;
    uint8_t signals;      /* the program has sent itself a signal (kernel/signals.h) */
    uint8_t cut;          /* Heddle stopped something that goes on in reality: a wait is no deadlock */
    uint8_t eager;        /* study: the running thread is a child that runs to its first operation */
    bool repeating;       /* repeats an execution to compare it; reports nothing (worker/selfcheck.h) */
    uint8_t in_main;      /* executions have begun; the snapshot exists */
    struct hd_thread *eager_parent;
    struct hd_thread *thread; /* [HD_MAX_THREADS], by tid */
    struct hd_rng libc_rng;   /* for getrandom, seeds of rand_r …; seeded again in each execution */
};

/* Number of plain accesses without a visible operation after which a thread may be in an endless
 * loop.  It then yields, so that other threads can end the loop. */
#define HD_FUEL (INT64_C(1) << 20)

/* A bit of access_mode for hd.witness.  enum hd_access_mode has the others. */
#define HD_ACCESS_WITNESS 0x80000000u

extern struct hd_rt hd __attribute__((visibility("hidden")));

static inline uintptr_t hd_canonical(uintptr_t addr)
{
    return HD_UNLIKELY(hd.access_mode & HD_MODE_ALIAS) ? hd_alias_of(addr) : addr;
}

/* Cache of valid objects that this execution has used recently, by hd_recent_index. */
#define HD_RECENT 64
extern struct hd_obj *hd_recent[HD_RECENT] __attribute__((visibility("hidden")));

static inline unsigned hd_recent_index(uintptr_t addr)
{
    return (unsigned)(addr >> 2 ^ addr >> 8) % HD_RECENT; /* shift by 2: neighbouring atomics differ */
}

static inline struct hd_obj *hd_object(const volatile void *addr, enum hd_object_type type)
{
    struct hd_obj *o = hd_recent[hd_recent_index((uintptr_t)addr)];

    if (HD_LIKELY(o->addr == (uintptr_t)addr && o->type == type && o->epoch == hd.epoch &&
                  !(o->flags & HD_OF_DESTROYED)))
        return o;
    return hd_object_look_up(addr, type);
}

/* ---- visible operations --------------------------------------------------- */

/* Announces the operation and returns when it has its turn. */
void hd_op(enum hd_kind kind, struct hd_obj *o, struct hd_obj *o2, uint64_t pc);
/* Like hd_op, for an operation that concerns another thread, peer. */
void hd_op_peer(enum hd_kind kind, struct hd_obj *o, hd_tid peer, uint64_t pc);
/* Like hd_op, with flags that the event has already while it is pending. */
void hd_op_flags(enum hd_kind kind, struct hd_obj *o, unsigned flags, uint64_t pc);
/* Like hd_op, for an operation without an object, which conflicts with no other (yield, sleep). */
static inline void hd_op_local(enum hd_kind kind, uint64_t pc)
{
    hd_op(kind, NULL, NULL, pc);
}
/* Records that the running thread's operation has taken effect. */
void hd_done(uint64_t value, unsigned flags);
/* A yield as a visible operation: other threads can run before the caller continues. */
static inline void hd_yield(uint64_t pc)
{
    hd_op_local(HD_EV_YIELD, pc);
    hd_done(0, 0);
}
/* Records an event that is not a scheduling point (init, fence). */
void hd_note(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc);
/* Records that the last operation of the running thread depends on all earlier operations on this
 * object. */
void hd_touch(uint32_t obj, uint64_t pc);
/* Records that the last operation of the running thread has also read or written this unit of
 * memory. */
void hd_touch_unit(struct hd_obj *unit, bool write, uint64_t pc);
/* Records that the last operation of the running thread also used this channel.  told: enum hd_flow. */
void hd_note_channel(struct hd_obj *channel, unsigned told, uint64_t pc);
/* Returns one of 0 to n-1.  The search explores the alternatives as it explores thread switches. */
uint32_t hd_choose(uint32_t n, uint64_t pc);
/* Like hd_choose, with an event of this kind.  obj and what become the event's objects; 0: none. */
uint32_t hd_choose_as(enum hd_kind kind, uint32_t n, uint32_t obj, uint32_t what, uint64_t pc);
/* Returns the pending event of the running thread.  Valid between hd_op and hd_done. */
static inline struct hd_event *hd_pending(void)
{
    return &hd.exec->pending[hd.cur->tid];
}

/* Events are written and changed by whole words.  They are soon read back as words, and the
 * processor cannot forward a narrow store to a wider load. */
static inline void hd_event_set(struct hd_event *e, uint64_t head, uint64_t objects, uint64_t pc)
{
    _Static_assert(offsetof(struct hd_event, kind) == 2 && offsetof(struct hd_event, flags) == 3 &&
                       offsetof(struct hd_event, peer) == 4 && offsetof(struct hd_event, obj) == 8 &&
                       offsetof(struct hd_event, pc) == 16 && offsetof(struct hd_event, value) == 24,
                   "layout of an event");
    uint64_t *w = (uint64_t *)(void *)e;

    w[0] = head;
    w[1] = objects;
    w[2] = pc;
    w[3] = 0;
}
static inline uint64_t hd_event_head(hd_tid tid, enum hd_kind kind, hd_tid peer)
{
    return tid | (uint64_t)kind << 16 | (uint64_t)peer << 32;
}
static inline void hd_event_add_flags(struct hd_event *e, unsigned flags)
{
    *(uint64_t *)(void *)e |= (uint64_t)(flags & 0xff) << 24;
}
static inline void hd_event_set_peer(struct hd_event *e, hd_tid peer)
{
    uint64_t *w = (uint64_t *)(void *)e;

    *w = (*w & ~(UINT64_C(0xffff) << 32)) | (uint64_t)peer << 32;
}

/* How a wait may end without a token. */
enum hd_timed {
    HD_TIMED_NOT,
    HD_TIMED,       /* by a time-out */
    HD_TIMED_FAULT, /* for no reason (injected fault), whatever --timeouts says */
};

/* Waits with tokens (conditions, futexes): see docs/internals.md, "The gate". */
void hd_wait_enqueue(struct hd_obj *q, enum hd_timed timed); /* adds the running thread */
unsigned hd_wait_tokens(struct hd_obj *q, unsigned n);    /* adds up to n tokens; returns how many */
/* Blocks until a token or a time-out.  Call after hd_wait_enqueue and the hd_done of the first part
 * of the wait.  Returns true if woken; the wake-up itself has then locked mutex, if that is not
 * NULL.  Returns false after a time-out; the mutex is then not locked. */
bool hd_wait_block(struct hd_obj *q, struct hd_obj *mutex, uint64_t pc);

/* ---- findings and notes ---------------------------------------------------- */

/* Reports a finding.  The running thread continues. */
void hd_report(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports a finding and stops the running thread for good. */
_Noreturn void hd_fail(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define hd_misuse(pc, ...) hd_report(HD_FK_LOCK_MISUSE, pc, __VA_ARGS__)
/* Format of an object's id in a message.  The conductor replaces it by the type and name of the
 * object. */
#define HD_NAMED "\001%u\002"
/* Notes that the execution did something that a reduction does not model. */
static inline void hd_fact(enum hd_fact f)
{
    hd.exec->facts |= f;
}
/* Notes that the program uses a feature for which C11 allows behaviour that Heddle does not try.
 * (This is a hot path, so the word is written only once.) */
static inline void hd_untried(enum hd_untried what)
{
    if (HD_UNLIKELY(hd.wire != NULL && !(hd.wire->untried & what)))
        hd.wire->untried |= what;
}
/* Adds an entry to the ledger (model/ledger.h), which a report shows once.  Heddle does not control
 * or see something, so the verdict claims nothing. */
void hd_uncontrolled(const char *what);
/* Adds an entry to the ledger: the model covers all interleavings of something, but no other
 * behaviour of it. */
void hd_qualified(const char *what);
/* Adds an entry to the ledger: information on which no claim depends. */
void hd_mentioned(const char *what);
/* Switches to fork isolation after this execution, because a restart in process cannot undo
 * something.  With --isolation=inproc: hd_uncontrolled(why) instead. */
void hd_needs_fork(const char *why);
/* Like hd_needs_fork, for something that a restart in process can undo, too.  With
 * --isolation=inproc: hd_mentioned(why) instead. */
void hd_prefers_fork(const char *why);

/* Makes a range writable that a system call is about to write.  The pages stay writable. */
void hd_snapshot_touch(const volatile void *p, size_t n);

/* ---- instrumented code ------------------------------------------------------ */

/* Registers of the target's code at the entry of a hook that may poll: the state that a polling
 * loop must repeat.  The entry stub saves them (HD_POLL_ENTRY). */
struct hd_entry_regs {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp;
    uint32_t frame; /* maximum number of words from rsp up to the target's return address */
};
extern struct hd_entry_regs hd_entry __attribute__((visibility("hidden")));

/* The assembly with which an entry stub saves these registers. */
#define HD_SAVE_ENTRY                  \
    "  movq %rbx, hd_entry+0(%rip)\n" \
    "  movq %rbp, hd_entry+8(%rip)\n" \
    "  movq %r12, hd_entry+16(%rip)\n" \
    "  movq %r13, hd_entry+24(%rip)\n" \
    "  movq %r14, hd_entry+32(%rip)\n" \
    "  movq %r15, hd_entry+40(%rip)\n" \
    "  movq %rsp, hd_entry+48(%rip)\n"

/* Exports `name` as a stub that saves the callee-saved registers and jumps to hd_impl_<name>, which
 * has the same signature. */
#define HD_POLL_ENTRY(name)                                       \
    __asm__(".pushsection .text\n"                                \
            ".globl " #name "\n"                                  \
            ".type " #name ",@function\n"                         \
            ".p2align 4\n" #name ":\n"                            \
            ".cfi_startproc\n"                                    \
            HD_SAVE_ENTRY                                         \
            "  jmp hd_impl_" #name "\n"                           \
            ".cfi_endproc\n"                                      \
            ".size " #name ", .-" #name "\n"                      \
            ".popsection\n")

/* Like HD_POLL_ENTRY, for a lock: saves the registers only while hd_cycle_locks is set. */
#define HD_LOCK_ENTRY(name)                                       \
    __asm__(".pushsection .text\n"                                \
            ".globl " #name "\n"                                  \
            ".type " #name ",@function\n"                         \
            ".p2align 4\n" #name ":\n"                            \
            ".cfi_startproc\n"                                    \
            "  cmpb $0, hd_cycle_locks(%rip)\n"                   \
            "  jne 1f\n"                                          \
            "  jmp hd_impl_" #name "\n"                           \
            "1:\n"                                                \
            HD_SAVE_ENTRY                                         \
            "  jmp hd_impl_" #name "\n"                           \
            ".cfi_endproc\n"                                      \
            ".size " #name ", .-" #name "\n"                      \
            ".popsection\n")

/* An atomic operation.  hd_atomic_enter announces it and returns true when it has its turn.  It
 * returns false at once if the caller is not controlled; then do not call hd_atomic_leave.  The
 * caller performs the operation on memory.  hd_atomic_leave records it. */
bool hd_atomic_enter(enum hd_kind kind, const volatile void *addr, unsigned size, int order,
                     uint64_t pc);
void hd_atomic_leave(uint64_t value, unsigned flags);
/* Like hd_atomic_leave, for an operation that may write.  before: the replaced value, or the value
 * that a compare-and-swap expected. */
void hd_atomic_leave_from(uint64_t before, uint64_t value, unsigned flags);

/* Records a compare-and-swap that found another value: it was a load with this order. */
void hd_atomic_leave_failed(uint64_t wanted, uint64_t found, int order);
/* Notes the memory order of the code at pc, even if this execution does not use it.  The verdict
 * names the code with an order weaker than sequentially consistent.  hd_atomic_enter calls this. */
void hd_atomic_look(int order, uint64_t pc);

/* The address is a constant because hooks are short of registers. */
#define HD_LINES_AT ((struct hd_lines *)UINT64_C(0x5e0000000000))

extern struct hd_races hd_races __attribute__((visibility("hidden")));

/* Passes an event to the race detector.  Call only while hd.races.  addr: the address of its object. */
void hd_race_event(const struct hd_event *e, uintptr_t addr);
/* Checks a plain access of a controlled thread for races.  addr must be the canonical address. */
void hd_race_plain(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Checks the free of a block by the running thread for races.  If every race must be found, the
 * whole block counts as written, except pages that no thread has used. */
void hd_race_free(uintptr_t addr, size_t size, uint64_t pc);
/* Returns true if the detector has dropped data that may matter for a race.  The execution must
 * then be run again instead of judged (detect/lines.h, L4). */
bool hd_race_is_unsure(void);
/* Returns true if Heddle sees all synchronisation of the code at pc, so that its accesses can be
 * checked for races. */
bool hd_race_sees(uint64_t pc);

/* The slow path of a plain access.  Its stub saves the registers (HD_POLL_ENTRY), because the
 * access may be a polling operation. */
void hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* Counts a plain access.  Returns true if it needs hd_plain_slow. */
static inline bool hd_plain_count(uintptr_t addr, bool write)
{
    if (write)
        hd.stores += addr - hd.stack_lo >= hd.stack_len;
    return --hd.fuel < 0 || hd.access_mode != 0;
}

/* A plain access that unseen synchronisation may order: it is not checked for races. */
static inline void hd_plain_ordered(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (HD_UNLIKELY(hd_plain_count(addr, write)))
        hd_plain_slow(addr, size, write, pc);
    hd_memcheck(addr, size, write, pc, hd.stack_lo, hd.stack_len);
}

/* The slower paths of hd_plain.  high: addresses from the stacks up.  slow_races: accesses that need
 * hd_plain_slow.  races: memory that other threads may use, too.  any: accesses of which nothing is
 * known. */
void hd_plain_high(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_slow_races(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_races(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_any(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* A plain access of instrumented code.  Everything that is not done inline is a tail call, and the
 * inline part keeps all its values in registers: a hook without a frame is a third faster. */
static inline __attribute__((always_inline)) void hd_plain(uintptr_t addr, size_t size,
                                                            bool write, uint64_t pc)
{
    if (write)
        hd.stores += addr - hd.stack_lo >= hd.stack_len;
    if (HD_UNLIKELY(--hd.fuel < 0)) {
        hd_plain_slow_races(addr, size, write, pc);
    } else if (hd.writes == 0) { /* no race detection, or hd.access_mode is not 0, or the use of the line is
                                  * not known */
        if (HD_UNLIKELY(hd.access_mode != 0))
            hd_plain_slow_races(addr, size, write, pc);
        else if (!hd_memcheck_nearest(addr, size))
            hd_plain_high(addr, size, write, pc);
        else if (hd.races)
            hd_plain_races(addr, size, write, pc);
    } else if (HD_UNLIKELY(!hd_lines_quiet(HD_LINES_AT, addr, size, write, hd.writes))) {
        hd_plain_any(addr, size, write, pc);
    } else if (!hd_memcheck_nearest(addr, size)) {
        hd_plain_high(addr, size, write, pc);
    }
}

static inline void hd_call_enter(uint64_t pc, uint64_t sp)
{
    if (hd.cur == NULL)
        return;
    while (hd.calls[-1].sp <= sp) /* frames that longjmp has left; the base entry has the highest sp */
        hd.calls--;
    hd.calls->pc = pc;
    hd.calls->sp = sp;
    hd.calls++;
}

static inline void hd_call_leave(uint64_t sp)
{
    if (hd.cur == NULL)
        return;
    while (HD_UNLIKELY(hd.calls[-1].sp < sp)) /* frames that longjmp has left; alloca only lowers sp */
        hd.calls--;
    hd.calls -= hd.calls[-1].sp != UINT64_MAX;
}

#endif
