/* SPDX-License-Identifier: BSD-2-Clause
 *
 * invariants.c - heddle_always: invariants that are checked before every operation of every thread.
 * They run outside of the execution (hd.cur is NULL): they are not operations, race with nothing
 * and cannot wait.
 *
 * An invariant can distinguish the order of two writes that nothing else distinguishes, so
 * partial-order reduction must know what it reads:
 *
 * A1  A step that changes memory read by invariants is a write to one object that represents all of
 *     that memory.  So all such steps are explored in all orders, and between two of them an
 *     invariant always sees the same state.
 * A2  "Memory read by invariants" is what any of them has read in any execution (`watched` of all
 *     workers), since an invariant may read different memory in different states.  It is watched
 *     from the beginning of an execution, since a program may register an invariant while threads
 *     run.  If an execution finds new memory, the exploration so far is void and the search
 *     restarts, as for a barrier with too many threads.  Exception: while only main has run,
 *     without choices, since that prefix is common to all executions.
 * A3  Whether a step changes that memory does not depend on the order of independent steps: two
 *     writes to one word conflict. */
#include "runtime/watch/checks.h"

#include <errno.h>

#include "base/check.h"
#include "runtime/core/entry.h"
#include "runtime/core/fiber.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/restart.h"
#include "runtime/core/state.h"
#include "runtime/report/finding.h"
#include "runtime/restore/heap.h"
#include "runtime/sys/compiler.h"
#include "wire/wire.h"

enum { MAX_INVARIANTS = 64, KEPT = 4096, INDEX = 2 * HD_MAX_WATCHED };

static struct invariant {
    int (*holds)(void *);
    void *arg;
    const char *text, *file;
    unsigned line;
} invariants[MAX_INVARIANTS];
static unsigned ninvariants;

static unsigned char kept[KEPT] __attribute__((aligned(16)));
static size_t nkept;

static const char *broken; /* condition of the last invariant evaluated that does not hold; NULL: it holds, or the
                            * text is unknown */
static uintptr_t ground; /* the stack below this address belongs to the invariant that is being evaluated */

static uint64_t value[HD_MAX_WATCHED]; /* values of the watched words at the last check */
static uint16_t where[INDEX];          /* index of a watched word + 1; open addressing */
static uint32_t nwhere;                /* number of the wire's words that `where` contains */


/* ---- memory read by invariants ---------------------------------------------------------- */

static inline uint32_t place_of(uint64_t word)
{
    return (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) % INDEX;
}

/* Returns the slot that contains the word, or a free slot for it. */
static uint32_t find(uint64_t word)
{
    uint32_t i = place_of(word);

    while (where[i] != 0 && hd.wire->common->watched[where[i] - 1] != word)
        i = (i + 1) % INDEX;
    return i;
}

static bool slot_is_used(unsigned slot)
{
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        if (hd.thread[i].slot == slot)
            return true;
    return false;
}

/* Memory of a thread that does not exist yet is zero (H3). */
static uint64_t load(uint64_t word)
{
    hd_cname name = hd_object_name(word);
    enum hd_region region = hd_cname_region(name);

    if ((region == HD_REG_STACK && !slot_is_used(hd_cname_index(name))) ||
        (region == HD_REG_HEAP && !hd_heap_is_open(word)))
        return 0;
    return *(const uint64_t *)(uintptr_t)word;
}

/* Adds the words that earlier executions have found, including those of other workers. */
static void learn(void)
{
    const uint64_t *watched = hd.wire->common->watched;

    for (uint64_t word; nwhere < HD_MAX_WATCHED &&
                        (word = __atomic_load_n(&watched[nwhere], __ATOMIC_ACQUIRE)) != 0;) {
        where[find(word)] = (uint16_t)(nwhere + 1);
        value[nwhere++] = load(word);
    }
}

/* Returns false if there is no room.  Several workers may call this concurrently. */
static bool add(uint64_t word)
{
    learn();
    while (where[find(word)] == 0) {
        uint64_t none = 0;

        if (nwhere == HD_MAX_WATCHED)
            return false;
        __atomic_compare_exchange_n(&hd.wire->common->watched[nwhere], &none, word, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        learn();
    }
    return true;
}

/* True while everything that has happened is common to all executions (A2). */
static bool is_early(void)
{
    const struct hd_execution *x = hd.exec;

    for (uint32_t i = 0; i < x->nsteps; i++)
        if (x->decisions[i].alternatives != 0)
            return false;
    return x->nthreads == 1;
}

/* Watches another word that an invariant has read (A2).  The fact is for searches that cannot restart. */
static HD_COLD void watch(uint64_t word)
{
    enum hd_region region = hd_cname_region(hd_object_name(word));
    bool possible = region == HD_REG_MODULE || region == HD_REG_STACK || region == HD_REG_HEAP;

    if (!possible || !add(word)) {
        hd_fact(HD_FACT_INVARIANT);
    } else if (!is_early()) {
        hd_fact(HD_FACT_INVARIANT);
        hd_restart_want();
    }
}

void hd_invariants_read(uintptr_t addr, size_t size)
{
    bool own = addr - hd.stack_lo < hd.stack_len && addr < ground; /* a local variable of the invariant */

    if (own || addr - (uintptr_t)kept < KEPT)
        return;
    for (uint64_t word = addr & ~UINT64_C(7); word < addr + size; word += 8)
        if (HD_UNLIKELY(where[find(word)] == 0))
            watch(word);
}

static bool note_changes(void)
{
    bool changed = false;

    for (uint32_t i = 0; i < nwhere; i++) {
        uint64_t now = load(hd.wire->common->watched[i]);

        changed |= now != value[i];
        value[i] = now;
    }
    return changed;
}

/* A1: records that the running thread's step has changed watched memory. */
static void touch(void)
{
    static const char all;
    const struct hd_execution *x = hd.exec;

    if (x->nsteps > 0 && x->decisions[x->nsteps - 1].alternatives != 0)
        hd_fact(HD_FACT_CHOICE);
    hd_touch(hd_object(&all, HD_OBJ_UNKNOWN)->id, 0);
}

/* ---- checking ----------------------------------------------------------------------------- */

static bool reduces(void)
{
    return hd_traits_reduces(&hd.cfg->traits);
}

void hd_invariants_begin(void)
{
    ninvariants = 0;
    nkept = 0;
    learn();
    hd.invariants = reduces() && nwhere > 0;
    if (hd.invariants)
        note_changes();
}

/* Evaluates the invariant, and restores what the hooks and the gate keep for the running thread. */
struct hd_thread *hd_evaluating;

static bool holds(const struct invariant *v)
{
    struct hd_entry_regs entry = hd_entry;
    struct hd_thread *t = hd.cur;
    uint64_t stores = hd.stores;
    int64_t fuel = hd.fuel;
    uint32_t mode = hd.access_mode;
    bool races = hd.races;
    int error = errno;

    ground = (uintptr_t)__builtin_frame_address(0);
    hd_evaluating = t;
    hd.cur = NULL;
    hd.races = false;
    hd.access_mode = reduces() ? HD_MODE_INVARIANT : 0;
    hd.writes = 0;
    broken = NULL;
    bool ok = v->holds(v->arg) != 0;

    hd.access_mode = mode;
    hd.races = races;
    hd.cur = t;
    hd_evaluating = NULL;
    hd.stores = stores;
    hd.fuel = fuel;
    hd_entry = entry;
    errno = error;
    return ok;
}

/* Two arguments that follow the name of the invariant in a message. */
#define CONDITION broken != NULL ? ": " : "", broken != NULL ? broken : ""

void hd_invariants_broken(const char *text)
{
    broken = text;
}

/* Returns the site of the thread's last operation: that operation, or code after it, has broken the invariant. */
static uint64_t last_place(hd_tid tid)
{
    for (uint32_t i = hd.exec->nevents; i-- > 0;)
        if (hd.exec->events[i].tid == tid && hd.exec->events[i].pc != 0)
            return hd.exec->events[i].pc;
    return 0;
}

void hd_invariants_look(void)
{
    if (hd.failed)
        return; /* what follows a failure is its consequence */
    if (reduces() && note_changes())
        touch();
    for (unsigned i = 0; i < ninvariants; i++) {
        const struct invariant *v = &invariants[i];

        if (!holds(v))
            hd_fail(HD_FK_CHECK_FAILED, last_place(hd.cur->tid),
                    "heddle_always(%s%s%s) of %s:%u does not hold any more, after what T%u did",
                    v->text, CONDITION, v->file, v->line, hd.cur->tid);
    }
}

/* Registering an invariant is visible to other threads, like a write. */
void hd_invariants_add(int (*fn)(void *), void *arg, const char *text, const char *file, unsigned line,
                   uint64_t pc)
{
    if (ninvariants == MAX_INVARIANTS)
        hd_fail(HD_FK_CHECK_FAILED, pc, "heddle_always: at most %d invariants in an execution",
                MAX_INVARIANTS);
    invariants[ninvariants++] = (struct invariant){ fn, arg, text, file, line };
    hd.invariants = true;
    if (reduces()) {
        learn();
        note_changes();
        touch();
    }
    if (!holds(&invariants[ninvariants - 1]))
        hd_fail(HD_FK_CHECK_FAILED, pc, "heddle_always(%s%s%s) at %s:%u does not hold from the beginning",
                text, CONDITION, file, line);
}

void *hd_invariants_keep(size_t n, uint64_t pc)
{
    size_t at = nkept;

    if (n > KEPT - nkept)
        hd_fail(HD_FK_CHECK_FAILED, pc, "heddle_always_expr: at most %d bytes of references in an execution",
                KEPT);
    nkept += (n + 15) & ~(size_t)15;
    nkept = nkept < KEPT ? nkept : KEPT;
    return kept + at;
}
