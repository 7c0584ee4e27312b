/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress_print.c - which stacks and names of a finding a suppression can speak of. */
#include "report/suppress_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "report/memory.h"
#include "report/race.h"

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

static void add_variable(struct hd_supp_names *n, const char *name)
{
    struct hd_supp_subject *s = &n->subject;

    if (name[0] == '\0' || s->nvariables == HD_SUPP_STACKS)
        return;
    snprintf(n->names[s->nvariables], sizeof n->names[0], "%s", name);
    n->variables[s->nvariables] = n->names[s->nvariables];
    s->nvariables++;
}

static void name_race(struct hd_supp_names *n, const struct hd_report *r)
{
    const struct hd_race *race = &r->race->race;
    char variable[256];

    hd_race_message(r, n->message, sizeof n->message);
    hd_race_variable(r, variable, sizeof variable);
    add_variable(n, variable);
    n->has_variable = hd_cname_region(r->race->name) == HD_REG_MODULE;
    add_thread(n, r, race->second.tid, race->second.pc);
    if (r->witness == NULL)
        add_places(n, r, &race->first.pc, 1);
    else
        add_stack(n, hd_text_captured_frames(r, &r->witness->first, next_frames(n),
                                             HD_SUPP_FRAMES));
}

/* Everybody who does not get on, and what for. */
static void name_stuck(struct hd_supp_names *n, const struct hd_report *r)
{
    char object[256];

    for (uint32_t i = 0; i < r->nthreads; i++) {
        const struct hd_event *e = hd_report_pending(r, (hd_tid)i);

        if (e == NULL)
            continue;
        add_thread(n, r, (hd_tid)i, e->pc);
        hd_describe_object(r, e->obj, object, sizeof object);
        add_variable(n, object);
        hd_describe_object(r, e->obj2, object, sizeof object);
        add_variable(n, object);
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
    snprintf(n->message, sizeof n->message, "%.*s", (int)sizeof f->message - 1, f->message);
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

/* Two assertions of one function differ in what they say, up to the line number. */
static void print_message(FILE *out, const struct hd_supp_subject *s)
{
    const char *failed = strstr(s->message, "' failed at ");

    if (s->kind == HD_FK_ASSERTION && failed != NULL)
        fprintf(out, "  message: %.*s' failed at *\n", (int)(failed - s->message), s->message);
    else if (s->kind == HD_FK_EXIT_CODE) /* it has no stack */
        fprintf(out, "  message: %s\n", s->message);
}

void hd_supp_print(FILE *out, const struct hd_supp_names *n)
{
    const struct hd_supp_subject *s = &n->subject;
    const char *kind = hd_finding_kind_text(s->kind);

    fprintf(out, "{\n  %s%s%s: say here why it may stay\n  kind: %s\n", kind,
            s->nstacks > 0 ? " in " : "",
            s->nstacks > 0 ? where(n) : "", kind);
    if (n->has_variable)
        fprintf(out, "  variable: %s\n", s->variables[0]);
    print_message(out, s);
    for (unsigned i = 0; i < s->nstacks; i++)
        if (!is_repeated(s, i))
            print_stack(out, n, &s->stacks[i]);
    fputs("}\n", out);
}
