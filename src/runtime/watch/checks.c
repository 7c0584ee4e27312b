/* SPDX-License-Identifier: BSD-2-Clause
 *
 * checks.c - assumptions, atomic sections, and checks at the end of an execution.
 *
 * A false assumption stops only its own thread, as a failure does.  Later steps of other threads could also have
 * come before it, so they are still checked; but a thread that waits for the stopped one is not reported.
 * Stopping all threads at once would hide their next steps from a reduction. */

#include "runtime/watch/checks.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "base/limits.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/real.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/report/finding.h"
#include "runtime/sys/text.h"
#include "runtime/watch/detectors.h"
#include "runtime/watch/race.h"
#include "wire/wire.h"

enum { MAX_AT_END = 64, MEMO = HD_LIMIT(64, 2) };

static struct {
    void (*fn)(void *);
    void *arg;
} at_end[MAX_AT_END];
static unsigned nat_end;

/* Forgets the requests of the last execution. */
static void begin(void)
{
    hd_invariants_begin();
    nat_end = 0;
}

/* ---- assumptions -------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

/* Returns the wire's row for this place, or NULL if there is no room. */
static struct hd_assumption *assumption_at(const char *file, unsigned line)
{
    struct hd_wire *w = hd.wire;
    char where[sizeof w->assumptions[0].where];

    hd_format(where, sizeof where, "%s:%u", file, line);
    for (uint32_t i = 0; i < w->nassumptions; i++)
        if (same_text(w->assumptions[i].where, where))
            return &w->assumptions[i];
    if (w->nassumptions == HD_MAX_ASSUMPTIONS)
        return NULL;
    struct hd_assumption *a = &w->assumptions[w->nassumptions];

    hd_format(a->where, sizeof a->where, "%s", where);
    __atomic_store_n(&w->nassumptions, w->nassumptions + 1, __ATOMIC_RELEASE);
    return a;
}

void hd_assume(bool holds, const char *file, unsigned line, uint64_t pc)
{
    static uint64_t passed[MEMO]; /* places that are known to be in the wire */

    if (holds && passed[pc % MEMO] == pc)
        return;
    struct hd_assumption *a = assumption_at(file, line);

    if (a != NULL && holds)
        a->passed = 1;
    else if (a != NULL)
        a->failed = 1;
    if (!holds)
        hd_thread_stop();
    passed[pc % MEMO] = pc;
}

/* ---- atomic sections ----------------------------------------------------------------------- */

/* All sections share one object, because they exclude each other. */
static struct hd_obj *section_object(void)
{
    static const char all;

    return hd_object(&all, HD_OBJ_UNKNOWN);
}

void hd_section_enter(uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (t->watch.sections++ > 0)
        return;
    hd_op(HD_EV_SECTION_BEGIN, section_object(), NULL, pc);
    hd_done(0, 0);
    t->in_section = 1;
}

void hd_section_leave(struct hd_thread *t, uint64_t value)
{
    t->in_section = 0;
    hd_note(HD_EV_SECTION_END, section_object(), value, 0);
}

void hd_section_exit(uint64_t pc)
{
    struct hd_thread *t = hd.cur;

    if (t->watch.sections == 0) {
        hd_misuse(pc, "T%u calls heddle_atomic_end without heddle_atomic_begin", t->tid);
        return;
    }
    if (--t->watch.sections == 0 && t->in_section)
        hd_section_leave(t, 0);
}

/* ---- the end -------------------------------------------------------------------------------- */

void hd_at_end_add(void (*fn)(void *), void *arg, uint64_t pc)
{
    if (nat_end == MAX_AT_END)
        hd_fail(HD_FK_CHECK_FAILED, pc, "heddle_at_end: at most %d functions in an execution",
                MAX_AT_END);
    at_end[nat_end].fn = fn;
    at_end[nat_end++].arg = arg;
}

/* Reserved names of variables: for programs in which an assertion cannot be placed at the end. */
enum { EXPECTED, VALUE, SUM, PARENT, CHILD, DIFFERENCE, VARIABLES };

static const char *const names[VARIABLES] = {
    [EXPECTED] = "heddle_expected", [VALUE] = "heddle_value", [SUM] = "heddle_expected_sum",
    [PARENT] = "heddle_parent", [CHILD] = "heddle_child",
    [DIFFERENCE] = "heddle_expected_sum_minus_value",
};

/* Declares the variable weakly, because the linker exports a program's variable only if a library that it is
 * linked with refers to it. */
#define ASK(name) __attribute__((weak, visibility("default"))) extern int name
ASK(heddle_expected);
ASK(heddle_value);
ASK(heddle_expected_sum);
ASK(heddle_parent);
ASK(heddle_child);
ASK(heddle_expected_sum_minus_value);

static const void *const asked[VARIABLES] = {
    [EXPECTED] = &heddle_expected, [VALUE] = &heddle_value, [SUM] = &heddle_expected_sum,
    [PARENT] = &heddle_parent, [CHILD] = &heddle_child,
    [DIFFERENCE] = &heddle_expected_sum_minus_value,
};

struct variable {
    const void *at; /* NULL: the program has no such variable */
    size_t size;
};

/* Finds the variables; the loader's symbol table has the size of each. */
static const struct variable *variables(void)
{
    static struct variable found[VARIABLES];
    static bool looked;
    struct hd_thread *t = hd.cur;
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;

    hd.cur = NULL; /* the loader's locks are not the target's */
    for (unsigned i = 0; i < VARIABLES && !looked; i++)
        if (asked[i] != NULL && dladdr1(asked[i], &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 &&
            symbol != NULL && (symbol->st_size == 4 || symbol->st_size == 8))
            found[i] = (struct variable){ asked[i], symbol->st_size };
    hd.cur = t;
    looked = true;
    return found;
}

static bool all_there(const struct variable *v, unsigned a, unsigned b, unsigned c)
{
    return v[a].at != NULL && v[b].at != NULL && v[c].at != NULL;
}

static long get(const struct variable *v, unsigned i)
{
    return v[i].size == 4 ? *(const int *)v[i].at : *(const long *)v[i].at;
}

static void wrong(unsigned expected, long want, const char *what, long got)
{
    hd_fail(HD_FK_CHECK_FAILED, 0, "at the end %s is %ld, but %s is %ld", names[expected], want, what,
            got);
}

static void check_variables(void)
{
    const struct variable *v = variables();

    if (all_there(v, EXPECTED, VALUE, VALUE) && get(v, EXPECTED) != get(v, VALUE))
        wrong(EXPECTED, get(v, EXPECTED), names[VALUE], get(v, VALUE));
    if (!all_there(v, PARENT, CHILD, CHILD))
        return;
    long sum = get(v, PARENT) + get(v, CHILD);

    if (v[SUM].at != NULL && get(v, SUM) != sum)
        wrong(SUM, get(v, SUM), "heddle_parent + heddle_child", sum);
    if (all_there(v, DIFFERENCE, VALUE, VALUE) && get(v, DIFFERENCE) != sum - get(v, VALUE))
        wrong(DIFFERENCE, get(v, DIFFERENCE), "heddle_parent + heddle_child - heddle_value",
              sum - get(v, VALUE));
}

/* True if the execution has reached its final state.  That is not so if a thread was cut, because it would have
 * continued.  (A thread that was only stopped temporarily in a loop has continued since.) */
static bool is_the_end(void)
{
    return !hd.failed && !hd.cut && hd.exec->assumed == 0 && hd.nstopped == 0 &&
           hd.exec->grace_cuts == 0;
}

/* Everything that has happened is ordered before the checks, so nothing races with them.  They are not part of the
 * interleaving, because no other thread runs. */
void hd_checks_at_end(void)
{
    if (!is_the_end())
        return;
    if (nat_end > 0) {
        hd_race_end();
        hd.cur->in_section = 1;
        while (nat_end > 0) {
            nat_end--;
            at_end[nat_end].fn(at_end[nat_end].arg);
        }
        hd.cur->in_section = 0;
    }
    check_variables();
}

const struct hd_detector hd_detector_checks = { .begin = begin };
