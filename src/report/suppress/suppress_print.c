/* SPDX-License-Identifier: BSD-2-Clause
 *
 * suppress_print.c - collects the stacks and names of a finding that a suppression can contain, and
 * prints the stanza. */
#include "report/suppress/suppress_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/evidence/describe.h"
#include "report/evidence/gather.h"
#include "report/evidence/livelock.h"
#include "report/evidence/message.h"
#include "report/evidence/race.h"

/* ---- collecting names ---------------------------------------------------------------- */

/* Adds the name of a variable.  telling: the name distinguishes this finding from others. */
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

/* Adds an object under both names that reports use, "m" and "mutex m". */
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

/* Adds the variables that a loop polls.  Which ones it reads may depend on values, so only the
 * first one distinguishes the finding.  The signature of the finding contains the same one
 * (runtime/report/signature.c).  Returns true if the thread polls. */
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

static void name_stopped(struct hd_supp_names *n, const struct hd_report *r, hd_tid tid, bool blamed)
{
    const struct hd_event *e = hd_report_pending(r, tid);
    bool polls = add_polled(n, r, tid, e);
    bool telling = blamed && (polls || r->finding->kind == HD_FK_DEADLOCK);

    add_object(n, r, e->obj, telling);
    if (hd_kind_info[e->kind].acc2 != HD_ACC_N) /* otherwise obj2 may be the hash of a value */
        add_object(n, r, e->obj2, telling);
}

static void name_variables(struct hd_supp_names *n, const struct hd_report *r)
{
    char variable[256];

    if (r->race != NULL) {
        hd_race_variable(r, variable, sizeof variable);
        add_variable(n, variable, hd_cname_region(r->race->name) == HD_REG_MODULE);
    }
    for (unsigned i = 0; i < n->evidence.n; i++)
        if (n->evidence.all[i].role == HD_ROLE_STOPPED)
            name_stopped(n, r, n->evidence.all[i].tid, n->evidence.all[i].blamed);
}

/* Adds the stacks, first those that distinguish this finding. */
static void add_stacks(struct hd_supp_names *n)
{
    const struct hd_evidence_list *l = &n->evidence;

    for (int blamed = 1; blamed >= 0; blamed--) {
        for (unsigned i = 0; i < l->n && n->subject.nstacks < HD_SUPP_STACKS; i++)
            if (hd_role_is_part(l->all[i].role) && l->all[i].blamed == blamed)
                n->stacks[n->subject.nstacks++] =
                    (struct hd_supp_stack){ l->all[i].frames, l->all[i].n };
        if (blamed)
            n->ntelling = n->subject.nstacks;
    }
}

struct hd_supp_names *hd_supp_names(const struct hd_report *r)
{
    struct hd_supp_names *n = hd_zeroed(1, sizeof *n);

    n->subject = (struct hd_supp_subject){ .kind = (enum hd_finding_kind)r->finding->kind,
                                           .message = n->message, .variables = n->variables,
                                           .stacks = n->stacks };
    n->program = hd_base_name(r->wire->modules[0].path);
    hd_report_message(r, n->message, sizeof n->message);
    hd_evidence_gather(&n->evidence, r);
    name_variables(n, r);
    add_stacks(n);
    return n;
}

void hd_supp_names_free(struct hd_supp_names *n)
{
    hd_evidence_free(&n->evidence);
    free(n);
}

/* ---- printing the stanza ------------------------------------------------------------- */

/* True if the frame is not in the user's code.  Such frames change with the compiler, and one line
 * of the user's code may reach them in several ways, so the stanza omits them. */
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
    unsigned own = 0; /* 1 + index of the user's outermost frame */
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

/* True if the stack is equal to an earlier one.  How many threads are stopped at the same place
 * depends on chance, so repeated stacks are omitted.  In a race both accesses matter, even with
 * equal stacks. */
static bool is_repeated(const struct hd_supp_subject *s, unsigned k)
{
    for (unsigned i = 0; i < k && s->kind != HD_FK_DATA_RACE; i++)
        if (same_stack(&s->stacks[i], &s->stacks[k]))
            return true;
    return false;
}

/* Returns the innermost function of the user's code. */
static const char *where(const struct hd_supp_names *n)
{
    const struct hd_supp_stack *s = &n->stacks[0];

    for (unsigned i = 0; i < s->n; i++)
        if (!is_library(n, &s->frames[i]))
            return s->frames[i].function;
    return s->frames[0].function;
}

/* Returns the length of the part of the message that identifies the failed check; the rest names
 * its place.  Returns 0 if the message has no such part. */
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

/* Prints the message if it is needed.  It distinguishes two checks in one function.  Line numbers
 * and values are replaced by '*', because they change. */
static void print_message(FILE *out, const struct hd_supp_subject *s)
{
    const char *m = s->message;
    size_t telling = telling_part(m);

    if (s->kind == HD_FK_EXIT_CODE) { /* this kind has no stack */
        fprintf(out, "  message: %s\n", m);
    } else if ((s->kind == HD_FK_ASSERTION || s->kind == HD_FK_CHECK_FAILED) && telling > 0) {
        fprintf(out, "  message: %.*s*\n", (int)telling, m);
    } else if (s->kind == HD_FK_CHECK_FAILED) {
        fputs("  message: ", out);
        for (; *m != '\0'; m++)
            if (!is_digit(m[1]) || (*m != '-' && !is_digit(*m))) /* skip all but the last digit of a number */
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
