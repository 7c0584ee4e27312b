/* SPDX-License-Identifier: BSD-2-Clause
 *
 * openmp.c - interposers of OpenMP's libraries, and the happens-before edges that they imply.  See
 * openmp.h.  The libraries do the rest themselves: they wait by calls that Heddle controls. */

#include "runtime/watch/openmp.h"

#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/check.h"
#include "runtime/core/imports.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/program.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"

/* ---- functions of the libraries ------------------------------------------------------------ */

enum real {
#define ORDERS(name) REAL_##name,
#define KNOWN(name)
#include "runtime/watch/openmp.def"
#undef ORDERS
#undef KNOWN
    REALS
};

static const char *const names[REALS] = {
#define ORDERS(name) [REAL_##name] = #name,
#define KNOWN(name)
#include "runtime/watch/openmp.def"
#undef ORDERS
#undef KNOWN
};

static const char *const known[] = {
#define ORDERS(name) #name,
#define KNOWN(name) name,
#include "runtime/watch/openmp.def"
#undef ORDERS
#undef KNOWN
};

static void *reals[REALS];
static bool all_known;

/* Returns the library's function.  Its system calls stay controlled, unlike those of libc's
 * functions (real.h). */
static void *real_of(enum real r)
{
    if (HD_UNLIKELY(reals[r] == NULL))
        reals[r] = dlsym(RTLD_NEXT, names[r]);
    HD_INVARIANT(reals[r] != NULL, "a function of OpenMP is called that its library does not have");
    return reals[r];
}

#define REAL(name) ((__typeof__(&name))real_of(REAL_##name))

static bool matches(const char *pattern, const char *name)
{
    while (*pattern != '\0' && *pattern == *name)
        pattern++, name++;
    return *pattern == '*' || (*pattern == '\0' && *name == '\0');
}

static bool begins(const char *name, const char *with)
{
    while (*with != '\0' && *with == *name)
        with++, name++;
    return *with == '\0';
}

static void look(const char *name, const ElfW(Rela) *at, uintptr_t bias, void *arg)
{
    (void)at;
    (void)arg;
    if ((!begins(name, "GOMP_") && !begins(name, "__kmpc_") && !begins(name, "omp_")) ||
        hd_program_is_openmp(bias))
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (matches(known[i], name))
            return;
    all_known = false;
}

/* Configures clang's library: wait by calls of the thread library instead of polling, load no tool,
 * and do not query the current processor, which differs between executions.  The library reads the
 * environment when it is first used. */
static void settle_environment(const char *library)
{
    if (!begins(library, "libomp") && !begins(library, "libiomp"))
        return;
    HD_REAL(setenv)("KMP_BLOCKTIME", "0", 0);
    HD_REAL(setenv)("OMP_TOOL", "disabled", 0);
    HD_REAL(setenv)("KMP_AFFINITY", "disabled", 0);
}

void hd_openmp_init(void)
{
    if (hd_program_openmp() == NULL)
        return;
    settle_environment(hd_program_openmp());
    all_known = true;
    hd_imports_each(look, NULL);
    for (int r = 0; r < REALS; r++)
        reals[r] = dlsym(RTLD_NEXT, names[r]);
}

bool hd_openmp_is_known(void)
{
    return all_known;
}

/* ---- happens-before edges --------------------------------------------------------------------- */

/* Only the addresses of the fields matter.  The struct is on the stack of the thread that began the region. */
struct team {
    char start[8], end[8], barrier[2][8];
};

/* The position of a thread in its regions. */
struct place {
    uint32_t epoch;
    const struct team *team; /* NULL: Heddle did not see the start of its region */
    unsigned phase;          /* number of barriers that it has left */
    void (*combine)(void *, void *); /* the reduction that it is in */
    const void *lock;                /* the lock of that reduction */
};

static struct place places[HD_MAX_THREADS];

static char criticals[8], atomics[8]; /* objects for gcc's unnamed critical sections and atomics */

static void tell(const void *at, uint64_t pc)
{
    if (hd.cur != NULL)
        hd_note_channel(hd_object(at, HD_OBJ_UNKNOWN), HD_FLOW_TELLS, pc);
}

static void learn(const void *at, uint64_t pc)
{
    if (hd.cur != NULL)
        hd_note_channel(hd_object(at, HD_OBJ_UNKNOWN), HD_FLOW_LEARNS, pc);
}

static struct place *place(void)
{
    struct place *p = &places[hd.cur->tid];

    if (p->epoch != hd.epoch)
        *p = (struct place){ .epoch = hd.epoch };
    return p;
}

/* A thread of the team enters the region: it acquires what happened before the region (O1). */
static struct place enter(const struct team *t, uint64_t pc)
{
    struct place before = { 0 };

    if (hd.cur == NULL)
        return before;
    before = *place();
    *place() = (struct place){ .epoch = hd.epoch, .team = t };
    learn(t->start, pc);
    return before;
}

static void leave(const struct team *t, const struct place *before, uint64_t pc)
{
    if (hd.cur == NULL)
        return;
    tell(t->end, pc);
    *place() = *before;
}

/* O2: the running thread arrives at a barrier. */
static void arrive(uint64_t pc)
{
    const struct place *p = hd.cur != NULL ? place() : NULL;

    if (p != NULL && p->team != NULL)
        tell(p->team->barrier[p->phase & 1], pc);
}

static void depart(uint64_t pc)
{
    struct place *p = hd.cur != NULL ? place() : NULL;

    if (p != NULL && p->team != NULL)
        learn(p->team->barrier[p->phase++ & 1], pc);
}

/* ---- gcc's regions ------------------------------------------------------------------------------- */

struct region {
    struct team team;
    void (*fn)(void *);
    void *data;
    uint64_t pc;
};

static void run_region(void *arg)
{
    struct region *r = arg;
    struct place before = enter(&r->team, r->pc);

    r->fn(r->data);
    leave(&r->team, &before, r->pc);
}

#define REGION(name, params, args)                                                      \
    HD_EXPORT void name(void (*fn)(void *), void *data, unsigned n, params unsigned flags) \
    {                                                                                   \
        struct region r = { .fn = fn, .data = data, .pc = HD_RETURN_PC };                      \
                                                                                        \
        tell(r.team.start, r.pc);                                                       \
        REAL(name)(run_region, &r, n, args flags);                                      \
        learn(r.team.end, r.pc);                                                        \
    }
#define NOTHING
#define COMMA ,
#define RANGE long from COMMA long to COMMA long by COMMA
#define RANGE_ARGS from COMMA to COMMA by COMMA
REGION(GOMP_parallel, NOTHING, NOTHING)
REGION(GOMP_parallel_loop_static, RANGE long chunk COMMA, RANGE_ARGS chunk COMMA)
REGION(GOMP_parallel_loop_dynamic, RANGE long chunk COMMA, RANGE_ARGS chunk COMMA)
REGION(GOMP_parallel_loop_guided, RANGE long chunk COMMA, RANGE_ARGS chunk COMMA)
REGION(GOMP_parallel_loop_nonmonotonic_dynamic, RANGE long chunk COMMA, RANGE_ARGS chunk COMMA)
REGION(GOMP_parallel_loop_nonmonotonic_guided, RANGE long chunk COMMA, RANGE_ARGS chunk COMMA)
REGION(GOMP_parallel_loop_runtime, RANGE, RANGE_ARGS)
REGION(GOMP_parallel_loop_nonmonotonic_runtime, RANGE, RANGE_ARGS)
REGION(GOMP_parallel_loop_maybe_nonmonotonic_runtime, RANGE, RANGE_ARGS)
REGION(GOMP_parallel_sections, unsigned count COMMA, count COMMA)

/* ---- barriers ------------------------------------------------------------------------------------ */

#define BARRIER(name, params, args)  \
    HD_EXPORT void name(params)      \
    {                                \
        uint64_t pc = HD_RETURN_PC;         \
                                     \
        arrive(pc);                  \
        REAL(name)(args);            \
        depart(pc);                  \
    }
BARRIER(GOMP_barrier, void, NOTHING)
BARRIER(GOMP_loop_end, void, NOTHING)
BARRIER(GOMP_sections_end, void, NOTHING)
BARRIER(GOMP_single_copy_end, void *data, data)
BARRIER(__kmpc_barrier, void *where COMMA int32_t id, where COMMA id)

/* The first thread does the work and ends at GOMP_single_copy_end.  The others wait here for it. */
HD_EXPORT void *GOMP_single_copy_start(void)
{
    uint64_t pc = HD_RETURN_PC;
    void *data;

    arrive(pc);
    data = REAL(GOMP_single_copy_start)();
    if (data != NULL)
        depart(pc);
    return data;
}

/* ---- sections and locks -------------------------------------------------------------------------- */

#define TAKES(name, params, args, what) \
    HD_EXPORT void name(params)         \
    {                                   \
        REAL(name)(args);               \
        learn(what, HD_RETURN_PC);             \
    }
#define GIVES(name, params, args, what) \
    HD_EXPORT void name(params)         \
    {                                   \
        tell(what, HD_RETURN_PC);              \
        REAL(name)(args);               \
    }
#define TRIES(name)                     \
    HD_EXPORT int name(void *lock)      \
    {                                   \
        int taken = REAL(name)(lock);   \
                                        \
        if (taken != 0)                 \
            learn(lock, HD_RETURN_PC);         \
        return taken;                   \
    }
TAKES(GOMP_critical_start, void, NOTHING, criticals)
GIVES(GOMP_critical_end, void, NOTHING, criticals)
TAKES(GOMP_critical_name_start, void **lock, lock, lock)
GIVES(GOMP_critical_name_end, void **lock, lock, lock)
TAKES(GOMP_atomic_start, void, NOTHING, atomics)
GIVES(GOMP_atomic_end, void, NOTHING, atomics)
TAKES(__kmpc_critical, void *where COMMA int32_t id COMMA void *lock, where COMMA id COMMA lock, lock)
TAKES(__kmpc_critical_with_hint, void *where COMMA int32_t id COMMA void *lock COMMA uint32_t hint,
      where COMMA id COMMA lock COMMA hint, lock)
GIVES(__kmpc_end_critical, void *where COMMA int32_t id COMMA void *lock, where COMMA id COMMA lock, lock)
TAKES(omp_set_lock, void *lock, lock, lock)
GIVES(omp_unset_lock, void *lock, lock, lock)
TRIES(omp_test_lock)
TAKES(omp_set_nest_lock, void *lock, lock, lock)
GIVES(omp_unset_nest_lock, void *lock, lock, lock)
TRIES(omp_test_nest_lock)

/* ---- clang's regions ----------------------------------------------------------------------------- */

typedef void micro(int32_t *, int32_t *, ...);
void hd_openmp_call(micro *fn, int32_t *global, int32_t *bound, void *const *args, size_t n)
    __attribute__((visibility("hidden")));

struct micro_region {
    struct team team;
    micro *fn;
    void *const *args;
    int32_t n;
    uint64_t pc;
};

static void run_micro(int32_t *global, int32_t *bound, struct micro_region *r)
{
    struct place before = enter(&r->team, r->pc);

    hd_openmp_call(r->fn, global, bound, r->args, (size_t)r->n);
    leave(&r->team, &before, r->pc);
}

HD_EXPORT void __kmpc_fork_call(void *where, int32_t n, micro *fn, ...)
{
    void *args[n > 0 ? n : 1];
    struct micro_region r = { .fn = fn, .args = args, .n = n, .pc = HD_RETURN_PC };
    va_list list;

    va_start(list, fn);
    for (int32_t i = 0; i < n; i++)
        args[i] = va_arg(list, void *);
    va_end(list);
    tell(r.team.start, r.pc);
    REAL(__kmpc_fork_call)(where, 1, (micro *)(void *)run_micro, &r);
    learn(r.team.end, r.pc);
}

/* ---- clang's reductions --------------------------------------------------------------------------- */

/* The result says how the threads combine their parts.  1: under a lock, either one thread after the other, or one
 * thread reads the parts of all.  In the latter case the other threads release their parts through an object next to
 * the lock.  2: by atomics.  0: this thread has nothing left to do; if the reduction is also a barrier, the thread
 * has left it. */
typedef void combine(void *, void *);

static const char *parts_of(const void *lock)
{
    return (const char *)lock + 8;
}

static void combine_known(void *into, void *from)
{
    combine *fn = hd.cur != NULL ? place()->combine : NULL;

    HD_INVARIANT(fn != NULL, "parts of a reduction are combined by nobody");
    learn(parts_of(place()->lock), HD_RETURN_PC);
    fn(into, from);
    tell(parts_of(place()->lock), HD_RETURN_PC); /* other threads may combine the part of this thread */
}

typedef int32_t reduce(void *where, int32_t id, int32_t n, size_t size, void *data, combine *fn, void *lock);

#define REDUCES(name, is_barrier)                                                                              \
    HD_EXPORT int32_t name(void *where, int32_t id, int32_t n, size_t size, void *data, combine *fn, void *lock) \
    {                                                                                                          \
        return reduces(REAL(name), is_barrier, where, id, n, size, data, fn, lock, HD_RETURN_PC);                     \
    }
static int32_t reduces(reduce *real, bool is_barrier, void *where, int32_t id, int32_t n, size_t size, void *data,
                       combine *fn, void *lock, uint64_t pc)
{
    int32_t how;

    if (hd.cur == NULL)
        return real(where, id, n, size, data, fn, lock);
    place()->combine = fn;
    place()->lock = lock;
    tell(parts_of(lock), pc);
    if (is_barrier)
        arrive(pc);
    how = real(where, id, n, size, data, combine_known, lock);
    if (how != 2)
        learn(lock, pc);
    if (how == 0 && is_barrier)
        depart(pc);
    return how;
}
REDUCES(__kmpc_reduce, true)
REDUCES(__kmpc_reduce_nowait, false)

GIVES(__kmpc_end_reduce_nowait, void *where COMMA int32_t id COMMA void *lock, where COMMA id COMMA lock, lock)

HD_EXPORT void __kmpc_end_reduce(void *where, int32_t id, void *lock)
{
    uint64_t pc = HD_RETURN_PC;

    tell(lock, pc);
    arrive(pc);
    REAL(__kmpc_end_reduce)(where, id, lock);
    depart(pc);
}
