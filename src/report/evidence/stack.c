/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack.c - call stacks of a finding.  A place is that of the call, not of the return:
 * whoever reads looks for the line that was being executed. */
#include "report/text/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "report/evidence/deadlock.h"
#include "report/names/path.h"
#include "report/names/place.h"

struct stack {
    uint64_t pc[HD_MAX_FRAMES];
    unsigned n;
    bool first_is_exact; /* pc[0] is not a return address */
};

static bool outside_runtime(const struct hd_report *r, const struct stack *s)
{
    struct hd_frame f[HD_MAX_FRAMES];

    for (unsigned i = 0; i < s->n; i++) {
        hd_symbols_frames(r->symbols, s->pc[i], i > 0, f, HD_MAX_FRAMES);
        if (!f[0].runtime && f[0].module[0] != '?')
            return true;
    }
    return false;
}

/* The shadow call stack of instrumented code: where each function was called,
 * outermost first; the innermost place is the operation itself. */
static void from_calls(const uint64_t *calls, uint32_t n, uint64_t pc, struct stack *s)
{
    s->n = 0;
    s->first_is_exact = false;
    if (pc != 0)
        s->pc[s->n++] = pc;
    for (uint32_t i = n; i > 0 && s->n < HD_MAX_FRAMES; i--)
        s->pc[s->n++] = calls[i - 1];
}

/* False when it does not lead out of the runtime. */
static bool from_image(const struct hd_report *r, const struct hd_stack_image *image,
                       struct stack *s)
{
    s->first_is_exact = true;
    s->n = hd_unwind(r->symbols, image, s->pc, HD_MAX_FRAMES);
    return outside_runtime(r, s);
}

static void stack_of(const struct hd_report *r, hd_tid tid, uint64_t pc, struct stack *s)
{
    const struct hd_section *image = hd_finding_section(r->finding, HD_SEC_STACK, tid);
    const struct hd_section *calls = hd_finding_section(r->finding, HD_SEC_CALLS, tid);

    if (image != NULL && image->bytes >= sizeof(struct hd_stack_image) &&
        from_image(r, (const struct hd_stack_image *)(const void *)(image + 1), s))
        return;
    if (calls != NULL)
        from_calls((const uint64_t *)(const void *)(calls + 1), calls->count, pc, s);
    else
        from_calls(NULL, 0, pc, s);
}

static void captured(const struct hd_report *r, const struct hd_capture *c, struct stack *s)
{
    if (c->image.bytes == 0 || !from_image(r, &c->image, s))
        from_calls(c->calls, c->ncalls, c->pc, s);
}

/* The source line itself, when the file is still there. */
static void quote_source(const struct hd_text *t, const struct hd_frame *f)
{
    FILE *src = f->line > 0 ? fopen(f->file, "re") : NULL;
    char *line = NULL;
    size_t cap = 0;
    ssize_t n = -1;

    if (src == NULL)
        return;
    for (int i = 0; i < f->line; i++)
        if ((n = getline(&line, &cap, src)) < 0)
            break;
    if (n > 0) {
        char *at = line + strspn(line, " \t");

        at[strcspn(at, "\r\n")] = '\0';
        if (*at != '\0')
            fprintf(t->out, "       > %.*s\n", hd_text_width(t) - 9, at);
    }
    free(line);
    fclose(src);
}

static void print_frame(const struct hd_text *t, unsigned number, const struct hd_frame *f)
{
    char what[600], where[400];

    snprintf(what, sizeof what, "  #%-3u %s%s", number, f->function, f->inlined ? " (inlined)" : "");
    if (f->line > 0)
        snprintf(where, sizeof where, "at %s:%d",
                 hd_is_system_file(f->file) ? hd_base_name(f->file) : hd_path_shown(f->file), f->line);
    else
        snprintf(where, sizeof where, "(%s+0x%llx)", f->module, (unsigned long long)f->offset);
    bool fits = strlen(what) + 1 + strlen(where) <= HD_TEXT_WIDTH;
    size_t width = (size_t)hd_text_width(t);

    if (strlen(what) > width) /* a name of C++: its end is arguments of templates */
        memcpy(what + width - 2, "..", 3);
    fprintf(t->out, "%s%s%s\n", what, fits ? " " : "\n       ", where);
}

/* Where libc starts a thread or main: nothing below it is of interest. */
static bool is_start(const char *function)
{
    return strcmp(function, "__libc_start_call_main") == 0 ||
           strcmp(function, "start_thread") == 0;
}

/* Frames of the target: Heddle's own above and below them are left out, and so
 * is everything below main or the thread's first function. */
static unsigned frames_of(const struct hd_report *r, const struct stack *s, struct hd_frame *out,
                          unsigned max)
{
    struct hd_frame f[HD_MAX_FRAMES];
    unsigned number = 0;

    for (unsigned i = 0; i < s->n; i++) {
        unsigned n = hd_symbols_frames(r->symbols, s->pc[i], i > 0 || !s->first_is_exact, f,
                                       HD_MAX_FRAMES);

        if (number > 0 && (f[0].runtime || is_start(f[0].function)))
            break;
        for (unsigned k = 0; k < n && !f[0].runtime && number < max; k++)
            out[number++] = f[k];
        if (number > 0 && strcmp(f[n - 1].function, "main") == 0)
            break;
    }
    return number;
}

static void print_stack(const struct hd_text *t, const struct hd_report *r, const struct stack *s)
{
    struct hd_frame f[2 * HD_MAX_FRAMES];
    unsigned n = frames_of(r, s, f, 2 * HD_MAX_FRAMES);
    bool quoted = false;

    for (unsigned i = 0; i < n; i++) {
        print_frame(t, i, &f[i]);
        if (!quoted && f[i].line > 0 && !hd_is_system_file(f[i].file)) {
            quote_source(t, &f[i]);
            quoted = true;
        }
    }
}

static bool is_told(const struct hd_text *t, const struct hd_report *r, const struct stack *s)
{
    struct hd_frame f[2];

    return t->brief && frames_of(r, s, f, 2) == 1 && f[0].line > 0 && !hd_is_system_file(f[0].file);
}

/* False: it has been told, or somebody has taken it who does not print. */
static bool print_titled(const struct hd_text *t, const struct hd_report *r, const char *head,
                         hd_tid tid, const struct stack *s)
{
    struct hd_frame f[2 * HD_MAX_FRAMES];

    if (t->stacks != NULL) {
        t->stacks->take(t->stacks->ctx, head, tid, f, frames_of(r, s, f, 2 * HD_MAX_FRAMES));
        return false;
    }
    if (is_told(t, r, s))
        return false;
    hd_text_heading(t, head);
    print_stack(t, r, s);
    return true;
}

static bool same_stack(const struct stack *a, const struct stack *b)
{
    return a->n == b->n && memcmp(a->pc, b->pc, a->n * sizeof *a->pc) == 0;
}

static void print_creation(const struct hd_text *t, const struct hd_report *r, hd_tid tid)
{
    char parent[64];

    if (tid == 0 || tid >= r->nthreads || r->threads[tid].create_pc == 0)
        return;
    hd_describe_thread(r, r->threads[tid].parent, parent, sizeof parent);
    fprintf(t->out, "       created by %s at %s\n", parent,
            hd_symbols_site(r->symbols, hd_report_creation_place(r, tid)));
}

void hd_text_calls(const struct hd_text *t, const struct hd_report *r, const char *head,
                   const uint64_t *pc, unsigned n)
{
    struct stack s = { .n = n < HD_MAX_FRAMES ? n : HD_MAX_FRAMES };

    memcpy(s.pc, pc, s.n * sizeof *pc);
    print_titled(t, r, head, HD_NO_TID, &s);
}

void hd_text_calls_of(const struct hd_text *t, const struct hd_report *r, const char *head,
                      const struct hd_capture *c)
{
    struct stack s;

    captured(r, c, &s);
    print_titled(t, r, head, HD_NO_TID, &s);
}

static void titled_stack(const struct hd_text *t, const struct hd_report *r, const char *head,
                         hd_tid tid, const struct stack *s)
{
    if (print_titled(t, r, head, tid, s))
        print_creation(t, r, tid);
}

void hd_text_stack(const struct hd_text *t, const struct hd_report *r, const char *head, hd_tid tid,
                   uint64_t pc)
{
    struct stack s;

    stack_of(r, tid, pc, &s);
    titled_stack(t, r, head, tid, &s);
}

void hd_text_capture(const struct hd_text *t, const struct hd_report *r, const char *head,
                     const struct hd_capture *c)
{
    struct stack s;

    captured(r, c, &s);
    titled_stack(t, r, head, c->tid, &s);
}

void hd_text_place(const struct hd_text *t, const struct hd_report *r, const char *head, hd_tid tid,
                   uint64_t pc)
{
    struct stack s;

    from_calls(NULL, 0, pc, &s);
    titled_stack(t, r, head, tid, &s);
}

unsigned hd_text_stack_frames(const struct hd_report *r, hd_tid tid, uint64_t pc,
                              struct hd_frame *out, unsigned max)
{
    struct stack s;

    stack_of(r, tid, pc, &s);
    return frames_of(r, &s, out, max);
}

unsigned hd_text_captured_frames(const struct hd_report *r, const struct hd_capture *c,
                                 struct hd_frame *out, unsigned max)
{
    struct stack s;

    captured(r, c, &s);
    return frames_of(r, &s, out, max);
}

unsigned hd_text_call_frames(const struct hd_report *r, const uint64_t *pc, unsigned n,
                             struct hd_frame *out, unsigned max)
{
    struct stack s = { .n = n < HD_MAX_FRAMES ? n : HD_MAX_FRAMES };

    memcpy(s.pc, pc, s.n * sizeof *pc);
    return frames_of(r, &s, out, max);
}

static unsigned copy_pcs(const struct stack *s, uint64_t *pcs)
{
    memcpy(pcs, s->pc, s->n * sizeof *pcs);
    return s->n;
}

unsigned hd_text_stack_pcs(const struct hd_report *r, hd_tid tid, uint64_t pc, uint64_t *pcs)
{
    struct stack s;

    stack_of(r, tid, pc, &s);
    return copy_pcs(&s, pcs);
}

unsigned hd_text_captured(const struct hd_report *r, const struct hd_capture *c, uint64_t *pcs)
{
    struct stack s;

    captured(r, c, &s);
    return copy_pcs(&s, pcs);
}

/* Many threads often stand at the same place: one stack for all of them. */
struct standing {
    struct stack stack;
    hd_tid tid;
    bool printed;
};

static void print_group(const struct hd_text *t, const struct hd_report *r, struct standing *all,
                        uint32_t n, uint32_t first)
{
    char who[64], head[400] = "Stack of ";
    unsigned more = 0;

    for (uint32_t i = first; i < n; i++) {
        if (all[i].printed || !same_stack(&all[first].stack, &all[i].stack))
            continue;
        hd_describe_thread(r, all[i].tid, who, sizeof who);
        size_t used = strlen(head);

        if (used + strlen(who) + 16 < HD_TEXT_WIDTH)
            snprintf(head + used, sizeof head - used, "%s%s", i > first ? ", " : "", who);
        else
            more++;
        all[i].printed = true;
    }
    if (more > 0)
        snprintf(head + strlen(head), sizeof head - strlen(head), " and %u more", more);
    titled_stack(t, r, head, all[first].tid, &all[first].stack);
}

static uint32_t gather_stacks(const struct hd_report *r, struct standing *all)
{
    const struct hd_finding *f = r->finding;
    uint32_t n = 0;

    for (uint32_t i = 0; i < r->nthreads && i < HD_MAX_THREADS; i++) {
        const struct hd_event *e = hd_report_is_stuck(r) ? hd_report_pending(r, (hd_tid)i) : NULL;

        /* one that hangs is named, and stands nowhere */
        if ((e == NULL && (f->kind == HD_FK_DEADLOCK || i != f->tid)) ||
            hd_deadlock_runs_on(r, (hd_tid)i))
            continue;
        stack_of(r, (hd_tid)i, e != NULL ? e->pc : f->pc, &all[n].stack);
        all[n].tid = (hd_tid)i;
        n += all[n].stack.n > 0;
    }
    return n;
}

void hd_text_stacks(const struct hd_text *t, const struct hd_report *r)
{
    struct standing *all = calloc(HD_MAX_THREADS, sizeof *all);

    HD_INVARIANT(all != NULL, "out of memory");
    uint32_t n = gather_stacks(r, all);

    for (uint32_t i = 0; i < n; i++)
        if (!all[i].printed)
            print_group(t, r, all, n, i);
    free(all);
}
