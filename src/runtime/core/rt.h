/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rt.h - the runtime inside the target: its state and the calls that every
 * interceptor and hook is made of.
 *
 * Rules of this address space:
 * R1  One kernel thread runs everything; logical threads are fibers on it.  No
 *     locks, no __thread variables, no errno of our own.
 * R2  hd.cur is NULL whenever the caller is not a controlled thread: not under
 *     Heddle, before main, in the scheduler's own context, in a forked child of
 *     the target.  Every entry point then goes straight to libc.
 * R3  No call into libc that may allocate, lock, or be interposed by ourselves;
 *     system calls go through hd_sys*().
 * R4  A switch of fibers happens at the gate only (gate.c), never inside libc.
 *
 * The life of a visible operation:
 *     struct hd_obj *o = hd_object(addr, HD_OBJ_SEM);
 *     hd_op(HD_EV_SEM_WAIT, o, NULL, HD_PC);   announce, wait for the turn
 *     hd_take_effect(o, HD_EV_SEM_WAIT, 0);     change the model's state (object.h)
 *     hd_done(value, flags);                    record; others become (dis)abled
 * Between hd_op and hd_done nothing else runs.  Checks that need no turn (wrong
 * argument, error code that depends on the own thread only) come before hd_op;
 * everything that depends on what others do comes after it. */
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
    HD_OF_MONOTONIC = 16,   /* condition: clock of absolute time-outs */
    HD_OF_GARBAGE = 32,     /* its memory was never initialised; until that is said */
};

/* Run-time state of a sync object; set up lazily in each execution from what
 * the target's memory says (static initialisers need nothing else). */
struct hd_obj {
    uint32_t epoch; /* execution for which the fields below are valid */
    uint32_t id;    /* row in the wire's object table; cond/futex tokens: id + 1 */
    uint32_t sig;   /* of its canonical name */
    uint8_t type;   /* enum hd_object_type */
    uint8_t flags;  /* enum hd_obj_flag */
    uint8_t attr;   /* kind bits of the libc object, by family */
    uint8_t overlaps; /* memory: shares bytes with another object; for the whole process */
    struct hd_sync_state sync;
    uint32_t *tokens; /* of a queue: see model/sync.h */
    uint32_t robust;
    uint32_t extent;  /* memory: bytes of the largest access; for the whole process */
    uint32_t uses;    /* shared_state.c: how often it was used, and by whom */
    uint32_t user;
    uint64_t addr;
    uint64_t pc;           /* where it was acquired last */
    struct hd_obj *second; /* cond: the mutex that its waiters use */
    uint32_t nwatchers;
    uint32_t nlockers;      /* of them, those that wait to lock a mutex */
    struct hd_set watchers; /* threads whose pending operation may become (dis)abled with it */
    struct hd_set readers; /* rwlock: who holds it for reading */
};

/* The address that stands for this one. */
uintptr_t hd_alias_of(uintptr_t addr);
static inline uintptr_t hd_canonical(uintptr_t addr);

/* The object at addr, set up for this execution. */
static inline struct hd_obj *hd_object(const volatile void *addr, enum hd_object_type type);
struct hd_obj *hd_object_look_up(const volatile void *addr, enum hd_object_type type);
/* The same without any check or import from memory: for *_init. */
struct hd_obj *hd_object_fresh(const volatile void *addr, enum hd_object_type type);
/* The target has destroyed it (for a mutex: after libc's own destroy). */
void hd_object_destroyed(struct hd_obj *o);

/* ---- threads -------------------------------------------------------------- */

struct hd_call {
    uint64_t pc; /* return address of the function: where it was called */
    uint64_t sp;
};

struct hd_thread {
    uint64_t sp; /* saved stack pointer while it does not run */
    uint64_t fsbase;
    hd_tid tid;
    uint16_t slot;
    uint8_t state; /* enum hd_thread_state */
    uint8_t detached;
    uint8_t joined;
    uint8_t timed;        /* enum hd_timed, of its wait */
    uint8_t wait_end;     /* enum hd_wait_end, of the same (signals.h) */
    uint8_t polls;        /* has a struct hd_poll in use */
    uint8_t just_yielded; /* its last operation was a yield: leaving it is free */
    uint8_t parked;       /* polls in the same state again and again: waits for a write */
    uint8_t loop_wait;    /* used up its idle rounds: waits for a write, too */
    uint8_t held;         /* enum hd_held: was parked or stopped before its pending operation */
    uint8_t cancel_state; /* PTHREAD_CANCEL_ENABLE is 0 */
    uint8_t cancel_type;
    uint8_t cancel_pending;
    uint32_t cancel_look; /* steps of the execution when it last looked whether it is cancelled, plus 1 */
    uint8_t exiting;      /* running exit handlers */
    uint8_t robust_held;  /* robust mutexes that it holds */
    uint8_t in_section;   /* heddle_atomic_begin: it passes the gate at once */
    uint8_t new_next;     /* enum hd_new: see intercept_new.h */
    uint32_t sections;    /* how deep; more than 0 and not in_section: it was left, because of a wait */
    uint64_t faults;      /* injected faults that come before whatever it does, by number */
    uint8_t at_visit;     /* stands before an operation at which cycle.c has looked at it */
    uint8_t called_outside; /* since it holds a lock: see outside.h */
    uint32_t grace;       /* operations since exit began */
    uint64_t locks;       /* sum of the names of the locks that it holds; 0: none (locks.h) */
    struct hd_obj *obj;   /* objects of the pending operation */
    struct hd_obj *obj2;
    struct hd_obj *waits; /* cond or futex whose tokens its pending step depends on */
    struct hd_obj *queued; /* cond or futex in whose queue it is */
    const struct hd_io_wait *io; /* what it waits for, while an IO_WAIT or IO_TIMED is pending */
    void *(*fn)(void *);
    void *arg;
    void *retval;
    uint64_t self;        /* its pthread_t */
    size_t stack_size;    /* that it was asked for, as far as it can tell */
    size_t guard_size;    /* the same */
    uintptr_t stack_lo, stack_hi; /* where its frames may be */
    uintptr_t low_sp;     /* lowest stack pointer that the runtime has seen */
    struct hd_call *calls; /* shadow call stack: next free entry, while not running */
    uint64_t stores;      /* see hd.stores, while not running */
    uint64_t progress;    /* own events that were not polls */
    uint32_t ring_wait;   /* polling operations until cycle.c looks at it */
    uint64_t expected;    /* hash of what failed compare-and-swaps found since poll.c looked: the target
                           * stores that where it kept what it expected, and no hook sees it */
    uint64_t look;        /* from this progress on, locking is of interest to cycle.c */
    uint64_t opaque;      /* calls that may have changed its state in ways that no hook sees */
    uint32_t children;
    uint32_t stamp;       /* when it entered the queue */
    uint32_t round;       /* barrier: round it waits for */
    uint64_t sigmask;     /* signals that it keeps out */
    uint64_t sigpending;  /* sent to it alone, and not yet taken (signals.h) */
    void *tls_dtors;      /* __cxa_thread_atexit_impl list */
} __attribute__((aligned(64)));

/* ---- state ---------------------------------------------------------------- */

/* Why plain accesses take the slow path: what they read is noted, what they write is
 * looked at (poll.c), some are scheduling points (points.h). */
enum hd_access_mode {
    HD_MODE_TRACK = 1,
    HD_MODE_WATCH = 2,
    HD_MODE_POINTS = 4,
    HD_MODE_INVARIANT = 8, /* heddle_always looks, and what it reads is to be known */
    HD_MODE_ALIAS = 16,    /* memory has two addresses: alias.h */
    HD_MODE_PREDICT = 32,  /* predict.h */
};
/* Those that nobody but the slow path is concerned with. */
#define HD_MODE_QUIET (HD_MODE_POINTS | HD_MODE_ALIAS | HD_MODE_PREDICT)

struct hd_rt {
    struct hd_thread *cur; /* R2 */
    /* hot, of the running thread; swapped at a switch */
    struct hd_call *calls;
    uintptr_t stack_lo;
    uintptr_t stack_len;
    uint64_t stores;      /* instrumented writes outside the own stack */
    hd_line_use writes;   /* how it uses what it writes (detect/lines.h); 0: look at every access,
                           * always so while access_mode is not 0 */
    int64_t fuel;         /* plain accesses left until a look at endless loops */
    uint32_t access_mode; /* enum hd_access_mode; nonzero: plain accesses take the slow path */
    uint32_t witness;     /* HD_ACCESS_WITNESS: see witness.h; else 0 */
    bool races;           /* plain accesses and events go to the race detector too */
    bool invariants;      /* heddle_always: there are some to be looked at before each operation */
    bool unfair;          /* some threads have gone round in a circle and go last: cycle.h */
    bool special;         /* polling or parked threads, points, or exit has begun: see hd_gate_special */
    uint32_t nparked;     /* threads that wait for a location to be written */
    uint32_t nloop_wait;  /* threads that have used up their idle rounds */
    uint64_t progress;    /* events of all threads that were not polls */
    uint32_t spins;       /* of the steps since the last look, those of loops without an operation */
    uint32_t next_look;   /* step at which limits are looked at again */
    uint32_t epoch;       /* number of the execution in this process, from 1 */
    uint32_t nslots;      /* slots from here on were never used in this process */

    struct hd_thread *aside; /* whom the runtime has call code of the target outside of the
                              * execution (heddle_always); cur is NULL then */
    struct hd_wire *wire; /* NULL: not under Heddle */
    struct hd_execution *exec;
    const struct hd_config *cfg;
    struct hd_search search;
    struct hd_point point;
    struct hd_set idle;   /* threads that may run only when no other can */
    uint64_t now_ns;      /* virtual time since the process began */
    uint64_t born_ns;     /* ... when main began */
    uint64_t look_progress; /* of the thread that looked at a clock last, then */
    uint32_t looks;       /* looks since then */
    uint32_t io_used;     /* the target used descriptors: look at them after the execution */
    uint32_t file_locks;  /* stdio streams that a logical thread holds (flockfile) */
    hd_tid clock_user;    /* who slept or looked at a clock since there are several threads */
    bool clock_shared;    /* ... is not the only one */
    bool clock_read;      /* ... and one of them has looked */
    bool maps_used;       /* the target has made mappings */
    bool state_changed;   /* signals, directory, umask: see intercept_signal.c */
    uint32_t faults;      /* injected so far */
    uint8_t failed;       /* a thread failed: later ends are not findings */
    uint8_t exit_begun;
    uint8_t signals;      /* the program has sent itself one: see signals.h */
    uint8_t cut;          /* something was stopped that would go on in real life: no verdict on who waits */
    uint8_t eager;        /* study: the running thread is a child on its way to its first operation */
    bool repeating;       /* the execution is run once more to be compared, and reports nothing (selfcheck.h) */
    uint8_t in_main;      /* executions have begun: the snapshot is taken */
    struct hd_thread *eager_parent;
    struct hd_thread *thread; /* [HD_MAX_THREADS], by tid */
    struct hd_rng libc_rng;   /* getrandom, rand_r seeds …; set anew in each execution */
};

/* Plain accesses without a visible operation after which a thread may be in an
 * endless loop: it then yields, so that others can end the loop. */
#define HD_FUEL (INT64_C(1) << 20)

/* Of access_mode; the others are poll.c's. */
#define HD_ACCESS_WITNESS 0x80000000u

extern struct hd_rt hd __attribute__((visibility("hidden")));

static inline uintptr_t hd_canonical(uintptr_t addr)
{
    return HD_UNLIKELY(hd.access_mode & HD_MODE_ALIAS) ? hd_alias_of(addr) : addr;
}

/* Objects that were used lately in this execution and are in order. */
#define HD_RECENT 64
extern struct hd_obj *hd_recent[HD_RECENT] __attribute__((visibility("hidden")));

static inline unsigned hd_recent_index(uintptr_t addr)
{
    return (unsigned)(addr >> 2 ^ addr >> 8) % HD_RECENT; /* atomics are neighbours, too */
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

/* Announce the operation and return when it is this thread's turn. */
void hd_op(enum hd_kind kind, struct hd_obj *o, struct hd_obj *o2, uint64_t pc);
/* As hd_op, with the other thread that it concerns. */
void hd_op_peer(enum hd_kind kind, struct hd_obj *o, hd_tid peer, uint64_t pc);
/* As hd_op, with flags that the operation has already while it is pending. */
void hd_op_flags(enum hd_kind kind, struct hd_obj *o, unsigned flags, uint64_t pc);
/* As hd_op, for a step that others see as no conflict (yield, sleep). */
static inline void hd_op_local(enum hd_kind kind, uint64_t pc)
{
    hd_op(kind, NULL, NULL, pc);
}
/* It has taken effect. */
void hd_done(uint64_t value, unsigned flags);
/* Let the others go first. */
static inline void hd_yield(uint64_t pc)
{
    hd_op_local(HD_EV_YIELD, pc);
    hd_done(0, 0);
}
/* Record an event that is no scheduling point (init, fence). */
void hd_note(enum hd_kind kind, struct hd_obj *o, uint64_t value, uint64_t pc);
/* What the running thread has just done depends on all that was done to this object. */
void hd_touch(uint32_t obj, uint64_t pc);
/* It has read or written this unit of memory, too. */
void hd_touch_unit(struct hd_obj *unit, bool write, uint64_t pc);
/* It was by this channel, too (enum hd_flow). */
void hd_note_channel(struct hd_obj *channel, unsigned told, uint64_t pc);
/* One of n alternatives, explored like a thread switch. */
uint32_t hd_choose(uint32_t n, uint64_t pc);
/* The same as an event of another kind than CHOOSE; what: of an object, or of nothing else. */
uint32_t hd_choose_as(enum hd_kind kind, uint32_t n, uint32_t obj, uint32_t what, uint64_t pc);
/* The pending event of the running thread, between hd_op and hd_done. */
static inline struct hd_event *hd_pending(void)
{
    return &hd.exec->pending[hd.cur->tid];
}

/* Events are written and changed by the word: they are read back as words soon,
 * and a narrow store would have to drain first. */
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
    HD_TIMED,       /* it times out */
    HD_TIMED_FAULT, /* for no reason, whatever --timeouts says */
};

/* Waiting with tokens (conditions, futexes): see docs/internals.md, "The gate". */
void hd_wait_enqueue(struct hd_obj *q, enum hd_timed timed); /* the running thread waits */
unsigned hd_wait_tokens(struct hd_obj *q, unsigned n);    /* give up to n; how many were given */
/* After hd_wait_enqueue and hd_done of the first part: block until a token or a
 * time-out; mutex is relocked by the wake-up itself when not NULL.  True: woken;
 * false: timed out (the mutex is then not locked). */
bool hd_wait_block(struct hd_obj *q, struct hd_obj *mutex, uint64_t pc);

/* ---- findings and notes ---------------------------------------------------- */

/* Report and go on. */
void hd_report(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Report and stop the running thread for good. */
_Noreturn void hd_fail(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define hd_misuse(pc, ...) hd_report(HD_FK_LOCK_MISUSE, pc, __VA_ARGS__)
/* In a message, with an object's id: the conductor puts its type and name there. */
#define HD_NAMED "\001%u\002"
/* The execution did something that a reduction does not know of. */
static inline void hd_fact(enum hd_fact f)
{
    hd.exec->facts |= f;
}
/* The program uses what C11 allows to do something that is not tried here.  (The place is
 * hot; the word is written once.) */
static inline void hd_untried(enum hd_untried what)
{
    if (HD_UNLIKELY(hd.wire != NULL && !(hd.wire->untried & what)))
        hd.wire->untried |= what;
}
/* Make an entry on the ledger (model/ledger.h), shown once: something that Heddle does not
 * control or see, so that nothing is claimed; */
void hd_uncontrolled(const char *what);
/* something for which the model is right as far as interleavings go, and no further; */
void hd_qualified(const char *what);
/* something that a reader should know, and that no claim depends on. */
void hd_mentioned(const char *what);
/* This cannot be undone in process: go over to fork isolation after this execution. */
void hd_needs_fork(const char *why);
/* The same of what is put back in process as well, where --isolation asks for that. */
void hd_prefers_fork(const char *why);

/* A range that a system call is about to write: make it writable (sticky pages). */
void hd_snapshot_touch(const volatile void *p, size_t n);

/* ---- instrumented code ------------------------------------------------------ */

/* Registers of the target's code at the entry of a hook that may poll, saved by
 * the entry stub (HD_POLL_ENTRY): the state that a polling loop must repeat. */
struct hd_entry_regs {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp;
    uint32_t frame; /* words from rsp on, at most, between it and the target's return address */
};
extern struct hd_entry_regs hd_entry __attribute__((visibility("hidden")));

/* What an entry stub does, in assembly. */
#define HD_SAVE_ENTRY                  \
    "  movq %rbx, hd_entry+0(%rip)\n" \
    "  movq %rbp, hd_entry+8(%rip)\n" \
    "  movq %r12, hd_entry+16(%rip)\n" \
    "  movq %r13, hd_entry+24(%rip)\n" \
    "  movq %r14, hd_entry+32(%rip)\n" \
    "  movq %r15, hd_entry+40(%rip)\n" \
    "  movq %rsp, hd_entry+48(%rip)\n"

/* Export `name` as a stub that saves the callee-saved registers and goes on in
 * hd_impl_<name>, which has the same signature. */
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

/* The same for a lock, which is looked at only when hd_cycle_locks says so. */
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

/* An atomic operation: enter announces it and returns when it is our turn (or
 * at once when not controlled: then it returns false and leave must not be
 * called); the caller performs it on memory; leave records it. */
bool hd_atomic_enter(enum hd_kind kind, const volatile void *addr, unsigned size, int order,
                     uint64_t pc);
void hd_atomic_leave(uint64_t value, unsigned flags);
/* The same of one that may write: `before` is the value that was there, or that a
 * compare-and-swap expected. */
void hd_atomic_leave_from(uint64_t before, uint64_t value, unsigned flags);

/* A compare-and-swap that found another value: it was a load, of that order. */
void hd_atomic_leave_failed(uint64_t wanted, uint64_t found, int order);
/* The code at pc asks for that order, now or in another case: the verdict names those
 * that are weaker than sequentially consistent.  Part of enter. */
void hd_atomic_look(int order, uint64_t pc);

/* At a fixed address, as hooks are short of registers. */
#define HD_LINES_AT ((struct hd_lines *)UINT64_C(0x5e0000000000))

extern struct hd_races hd_races __attribute__((visibility("hidden")));

/* Only while hd.races; addr is its object's. */
void hd_race_event(const struct hd_event *e, uintptr_t addr);
/* A plain access of a controlled thread; the address is the canonical one. */
void hd_race_plain(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* The running thread frees a block.  Where all that races has to be known, all of it counts as
 * written: pages that nobody has used tell nothing. */
void hd_race_free(uintptr_t addr, size_t size, uint64_t pc);
/* Something was not remembered that may be in a race: the running execution is not to be judged,
 * but begun again (detect/lines.h, L4). */
bool hd_race_is_unsure(void);
/* Is all synchronisation of the code at pc seen, so that its accesses may be judged? */
bool hd_race_sees(uint64_t pc);

/* Saves the registers (HD_POLL_ENTRY): a plain access may be a polling operation. */
void hd_plain_slow(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* True when a plain access needs hd_plain_slow. */
static inline bool hd_plain_count(uintptr_t addr, bool write)
{
    if (write)
        hd.stores += addr - hd.stack_lo >= hd.stack_len;
    return --hd.fuel < 0 || hd.access_mode != 0;
}

/* A plain access that may be ordered in ways that nobody sees: it cannot race. */
static inline void hd_plain_ordered(uintptr_t addr, size_t size, bool write, uint64_t pc)
{
    if (HD_UNLIKELY(hd_plain_count(addr, write)))
        hd_plain_slow(addr, size, write, pc);
    hd_memcheck(addr, size, write, pc, hd.stack_lo, hd.stack_len);
}

/* Stacks, the heap and what is above them; an access that needs hd_plain_slow; one to memory
 * that others may use, too; one of which nothing is known. */
void hd_plain_high(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_slow_races(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_races(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_plain_any(uintptr_t addr, size_t size, bool write, uint64_t pc);

/* A plain access of instrumented code.  Whatever is not done here is a tail call, and
 * what is done leaves room for all its values in registers: a hook that needs no frame
 * is a third faster. */
static inline __attribute__((always_inline)) void hd_plain(uintptr_t addr, size_t size,
                                                            bool write, uint64_t pc)
{
    if (write)
        hd.stores += addr - hd.stack_lo >= hd.stack_len;
    if (HD_UNLIKELY(--hd.fuel < 0)) {
        hd_plain_slow_races(addr, size, write, pc);
    } else if (hd.writes == 0) { /* races are not looked for, or hd.access_mode is not 0, or ... */
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
    while (hd.calls[-1].sp <= sp) /* frames left behind by longjmp; the base entry has the highest sp */
        hd.calls--;
    hd.calls->pc = pc;
    hd.calls->sp = sp;
    hd.calls++;
}

static inline void hd_call_leave(uint64_t sp)
{
    if (hd.cur == NULL)
        return;
    while (HD_UNLIKELY(hd.calls[-1].sp < sp)) /* left behind by longjmp; alloca only lowers sp */
        hd.calls--;
    hd.calls -= hd.calls[-1].sp != UINT64_MAX;
}

#endif
