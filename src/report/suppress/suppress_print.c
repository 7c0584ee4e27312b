/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress_print.c - which stacks and names of a finding a suppression can speak of. */
#include "report/suppress/suppress_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "report/evidence/livelock.h"
#include "report/evidence/memory.h"
#include "report/evidence/race.h"

/* ---- names ---------------------------------------------------------------------------------- */

/* Room for the frames of one more stack; NULL when there is none left. */
static struct hd_frame *next_frames(struct hd_supp_names *n)
{
    return n->subject.nstacks < HD_SUPP_STACKS ? n->frames[n->subject.nstacks] : NULL;
}

static void add_stack(struct hd_supp_names *n, unsigned nframes)
{
    if (nframes > 0) {
        n->stacks[n->subject.nstacks] = (struct hd_supp_stack){ next_frames(n), nframes };
        n->subject.nstacks++;
    }
}

static void add_thread(struct hd_supp_names *n, const struct hd_report *r, hd_tid tid, uint64_t pc)
{
    struct hd_frame *f = next_frames(n);

    if (f != NULL)
        add_stack(n, hd_text_stack_frames(r, tid, pc, f, HD_SUPP_FRAMES));
}

static void add_places(struct hd_supp_names *n, const struct hd_report *r, const uint64_t *pc,
                       unsigned npcs)
{
    struct hd_frame *f = next_frames(n);

    if (f != NULL && npcs > 0 && pc[0] != 0)
        add_stack(n, hd_text_call_frames(r, pc, npcs, f, HD_SUPP_FRAMES));
}

/* telling: it tells this finding from others. */
static void add_variable(struct hd_supp_names *n, const char *name, bool telling)
{
    struct hd_supp_subject *s = &n->subject;
    unsigned i = 0;

    while (i < s->nvariables && strcmp(n->names[i], name) != 0)
        i++;
    if (name[0] == '\0' || i == HD_SUPP_VARIABLES)
        return;
    if (i == s->nvariables) {
        snprintf(n->names[i], sizeof n->names[0], "%s", name);
        n->variables[i] = n->names[i];
        s->nvariables++;
    }
    n->telling[i] |= telling;
}

/* By both names that reports have for it, "m" and "mutex m". */
static void add_object(struct hd_supp_names *n, const struct hd_report *r, uint32_t obj, bool telling)
{
    char name[320];

    if (obj == 0 || obj >= r->wire->common->nobjects)
        return;
    telling &= hd_cname_region(r->wire->common->objects[obj].name) == HD_REG_MODULE;
    hd_describe_object(r, obj, name, sizeof name);
    add_variable(n, name, telling);
    hd_describe_typed_object(r, obj, name, sizeof name);
    add_variable(n, name, false);
}

static void name_race(struct hd_supp_names *n, const struct hd_report *r)
{
    const struct hd_race *race = &r->race->race;
    char variable[256];

    hd_race_variable(r, variable, sizeof variable);
    add_variable(n, variable, hd_cname_region(r->race->name) == HD_REG_MODULE);
    add_thread(n, r, race->second.tid, race->second.pc);
    if (r->witness == NULL)
        add_places(n, r, &race->first.pc, 1);
    else
        add_stack(n, hd_text_captured_frames(r, &r->witness->first, next_frames(n),
                                             HD_SUPP_FRAMES));
}

static bool in_cycle(const struct hd_report *r, hd_tid tid)
{
    for (uint32_t i = 0; i < r->nstands; i++)
        if (r->stands[i].how == HD_BLOCKED_STATE_IN_CYCLE && r->stands[i].tid == tid)
            return true;
    return false;
}

/* Is it for this thread that the others cannot get on?  What else waits, and most of all
 * who merely waits for the end of others, is not always the same. */
static bool is_to_blame(const struct hd_report *r, hd_tid tid, const struct hd_event *e)
{
    if (r->finding->kind == HD_FK_LIVELOCK)
        return hd_livelock_explains(r, tid);
    if (r->nstands > 0 && r->stands[0].how == HD_BLOCKED_STATE_IN_CYCLE)
        return in_cycle(r, tid);
    return e->kind != HD_EV_THREAD_JOIN;
}

static bool anybody_is_to_blame(const struct hd_report *r)
{
    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e != NULL && is_to_blame(r, (hd_tid)i, e))
            return true;
    }
    return false;
}

/* What a loop reads besides depends on values: one variable is enough to know it by.  It
 * is the one that the signature of the finding has (runtime/report/signature.c). */
static bool add_polled(struct hd_supp_names *n, const struct hd_report *r, hd_tid tid,
                       const struct hd_event *e)
{
    uint32_t npolled;
    const struct hd_polled *p = hd_livelock_polled(r, &npolled);
    bool polls = false;

    for (uint32_t i = 0; i < npolled; i++) {
        char name[320];

        if (p[i].tid != tid)
            continue;
        hd_livelock_variable(r, &p[i], name, sizeof name);
        add_variable(n, name, !polls && e->obj == 0 && hd_cname_region(p[i].name) == HD_REG_MODULE);
        polls = true;
    }
    return polls;
}

static void add_stuck(struct hd_supp_names *n, const struct hd_report *r, hd_tid tid,
                      const struct hd_event *e, bool telling)
{
    bool polls = add_polled(n, r, tid, e);

    add_thread(n, r, tid, e->pc);
    telling &= polls || r->finding->kind == HD_FK_DEADLOCK;
    add_object(n, r, e->obj, telling);
    if (hd_kind_info[e->kind].acc2 != HD_ACC_N) /* else it may be the hash of a value */
        add_object(n, r, e->obj2, telling);
}

/* Everybody who does not get on, and what for: first those to whom that is due. */
static void name_stuck(struct hd_supp_names *n, const struct hd_report *r)
{
    bool anybody = anybody_is_to_blame(r);

    for (int telling = 1; telling >= 0; telling--) {
        for (uint32_t i = 0; i < r->nthreads; i++) {
            const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

            if (e != NULL && telling == (!anybody || is_to_blame(r, (hd_tid)i, e)))
                add_stuck(n, r, (hd_tid)i, e, telling);
        }
        n->ntelling = n->ntelling > 0 ? n->ntelling : n->subject.nstacks;
    }
}

static void name_block(struct hd_supp_names *n, const struct hd_report *r,
                       const struct hd_heap_site *s)
{
    uint64_t pc[1 + HD_SITE_CALLS] = { s->pc };
    unsigned npcs = 1;

    while (npcs <= HD_SITE_CALLS && s->calls[npcs - 1] != 0) {
        pc[npcs] = s->calls[npcs - 1];
        npcs++;
    }
    add_places(n, r, pc, npcs);
}

struct hd_supp_names *hd_supp_names(const struct hd_report *r)
{
    const struct hd_finding *f = r->finding;
    const struct hd_block_info *b = hd_memory_block(r);
    struct hd_supp_names *n = calloc(1, sizeof *n);

    HD_INVARIANT(n != NULL, "out of memory");
    n->subject = (struct hd_supp_subject){ .kind = (enum hd_finding_kind)f->kind,
                                           .message = n->message, .variables = n->variables,
                                           .stacks = n->stacks };
    n->program = hd_base_name(r->wire->modules[0].path);
    hd_text_message(r, n->message, sizeof n->message);
    if (r->race != NULL)
        name_race(n, r);
    else if (f->tid < r->nthreads)
        add_thread(n, r, (hd_tid)f->tid, f->pc);
    else if (f->kind == HD_FK_DEADLOCK || f->kind == HD_FK_LIVELOCK)
        name_stuck(n, r);
    else if (b == NULL)
        add_places(n, r, &f->pc, 1);
    if (b != NULL) {
        name_block(n, r, &b->allocated);
        name_block(n, r, &b->freed);
    }
    n->ntelling = n->ntelling > 0 ? n->ntelling : n->subject.nstacks;
    return n;
}

/* ---- the stanza ------------------------------------------------------------------------------- */

/* Code that is not the user's: it changes with the compiler, and the same line of the user's
 * gets there in several ways. */
static bool is_library(const struct hd_supp_names *n, const struct hd_frame *f)
{
    return f->file[0] != '\0' ? hd_is_system_file(f->file) : strcmp(f->module, n->program) != 0;
}

static void print_frame(FILE *out, const struct hd_frame *f)
{
    if (strcmp(f->function, "?") != 0)
        fprintf(out, "  fun: %s\n", f->function);
    else
        fprintf(out, "  obj: %s\n", f->module);
}

static void print_stack(FILE *out, const struct hd_supp_names *n, const struct hd_supp_stack *s)
{
    unsigned own = 0; /* up to the last frame of the user's */
    bool skipped = false;

    for (unsigned i = 0; i < s->n; i++)
        own = is_library(n, &s->frames[i]) ? own : i + 1;
    fputs("  stack:\n", out);
    for (unsigned i = 0; i < (own > 0 ? own : s->n); i++) {
        bool skip = own > 0 && is_library(n, &s->frames[i]);

        if (!skip)
            print_frame(out, &s->frames[i]);
        else if (!skipped)
            fputs("  ...\n", out);
        skipped = skip;
    }
}

static bool same_stack(const struct hd_supp_stack *a, const struct hd_supp_stack *b)
{
    if (a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        if (strcmp(a->frames[i].function, b->frames[i].function) != 0 ||
            strcmp(a->frames[i].module, b->frames[i].module) != 0)
            return false;
    return true;
}

/* How many threads are stuck in the same place is a matter of luck; that both accesses
 * of a race have the same stack is not. */
static bool is_repeated(const struct hd_supp_subject *s, unsigned k)
{
    for (unsigned i = 0; i < k && s->kind != HD_FK_DATA_RACE; i++)
        if (same_stack(&s->stacks[i], &s->stacks[k]))
            return true;
    return false;
}

/* The innermost function of the user's. */
static const char *where(const struct hd_supp_names *n)
{
    const struct hd_supp_stack *s = &n->stacks[0];

    for (unsigned i = 0; i < s->n; i++)
        if (!is_library(n, &s->frames[i]))
            return s->frames[i].function;
    return s->frames[0].function;
}

/* So much of the message of a failed check says which one it is; what follows is where. */
static size_t telling_part(const char *message)
{
    static const char *const ends[] = { "' failed at ", ") failed at ", ") of ", ") at " };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(message, ends[i]);

        if (end != NULL)
            return (size_t)(end - message) + strlen(ends[i]);
    }
    return 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Two checks of one function differ in what they say; line numbers and values come and go. */
static void print_message(FILE *out, const struct hd_supp_subject *s)
{
    const char *m = s->message;
    size_t telling = telling_part(m);

    if (s->kind == HD_FK_EXIT_CODE) { /* it has no stack */
        fprintf(out, "  message: %s\n", m);
    } else if ((s->kind == HD_FK_ASSERTION || s->kind == HD_FK_CHECK_FAILED) && telling > 0) {
        fprintf(out, "  message: %.*s*\n", (int)telling, m);
    } else if (s->kind == HD_FK_CHECK_FAILED) {
        fputs("  message: ", out);
        for (; *m != '\0'; m++)
            if (!is_digit(m[1]) || (*m != '-' && !is_digit(*m))) /* of a number its last digit */
                fputc(is_digit(*m) ? '*' : *m, out);
        fputc('\n', out);
    }
}

void hd_supp_print(FILE *out, const struct hd_supp_names *n)
{
    const struct hd_supp_subject *s = &n->subject;
    const char *kind = hd_finding_kind_text(s->kind);

    fprintf(out, "{\n  %s%s%s: say here why it may stay\n  kind: %s\n", kind,
            s->nstacks > 0 ? " in " : "",
            s->nstacks > 0 ? where(n) : "", kind);
    for (unsigned i = 0; i < s->nvariables; i++)
        if (n->telling[i])
            fprintf(out, "  variable: %s\n", s->variables[i]);
    print_message(out, s);
    for (unsigned i = 0; i < n->ntelling; i++)
        if (!is_repeated(s, i))
            print_stack(out, n, &s->stacks[i]);
    fputs("}\n", out);
}
