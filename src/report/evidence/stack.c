/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack.c - call stacks of a finding.  A frame shows the line of the call, not the line to which
 * the call returns: readers look for the line that was being executed. */
#include "report/evidence/stack.h"

#include <string.h>

struct stack {
    uint64_t pc[HD_MAX_FRAMES];
    unsigned n;
    bool first_is_exact; /* pc[0] is not a return address */
};

static bool outside_runtime(const struct hd_report *r, const struct stack *s)
{
    for (unsigned i = 0; i < s->n; i++)
        if (hd_symbols_owner(r->symbols, s->pc[i]) == HD_OWNER_TARGET)
            return true;
    return false;
}

/* Fills *s from the shadow call stack of instrumented code: the n call sites, outermost first, and
 * the place of the operation itself, which is innermost. */
static void from_calls(const uint64_t *calls, uint32_t n, uint64_t pc, struct stack *s)
{
    s->n = 0;
    s->first_is_exact = false;
    if (pc != 0)
        s->pc[s->n++] = pc;
    for (uint32_t i = n; i > 0 && s->n < HD_MAX_FRAMES; i--)
        s->pc[s->n++] = calls[i - 1];
}

/* Unwinds the image of a stack.  Returns false if all frames are in the runtime. */
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

/* True for the functions of libc that call main or a thread's first function: frames below them say
 * nothing. */
static bool is_start(const char *function)
{
    return strcmp(function, "__libc_start_call_main") == 0 ||
           strcmp(function, "start_thread") == 0;
}

/* Stores the frames of the target.  Skips Heddle's frames above and below them, and everything
 * below main or the thread's first function.  Returns the number of frames. */
static unsigned frames_of(const struct hd_report *r, const struct stack *s, struct hd_frame *out,
                          unsigned max)
{
    struct hd_frame f[HD_MAX_FRAMES];
    unsigned number = 0;

    for (unsigned i = 0; i < s->n; i++) {
        if (hd_symbols_owner(r->symbols, s->pc[i]) == HD_OWNER_RUNTIME) {
            if (number > 0)
                break;
            continue;
        }
        unsigned n = hd_symbols_frames(r->symbols, s->pc[i], i > 0 || !s->first_is_exact, f,
                                       HD_MAX_FRAMES);

        if (number > 0 && is_start(f[0].function))
            break;
        for (unsigned k = 0; k < n && number < max; k++)
            out[number++] = f[k];
        if (number > 0 && strcmp(f[n - 1].function, "main") == 0)
            break;
    }
    return number;
}

unsigned hd_stack_frames(const struct hd_report *r, hd_tid tid, uint64_t pc,
                              struct hd_frame *out, unsigned max)
{
    struct stack s;

    stack_of(r, tid, pc, &s);
    return frames_of(r, &s, out, max);
}

unsigned hd_stack_captured_frames(const struct hd_report *r, const struct hd_capture *c,
                                 struct hd_frame *out, unsigned max)
{
    struct stack s;

    captured(r, c, &s);
    return frames_of(r, &s, out, max);
}

unsigned hd_stack_call_frames(const struct hd_report *r, const uint64_t *pc, unsigned n,
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

unsigned hd_stack_pcs(const struct hd_report *r, hd_tid tid, uint64_t pc, uint64_t *pcs)
{
    struct stack s;

    stack_of(r, tid, pc, &s);
    return copy_pcs(&s, pcs);
}

unsigned hd_stack_captured_pcs(const struct hd_report *r, const struct hd_capture *c, uint64_t *pcs)
{
    struct stack s;

    captured(r, c, &s);
    return copy_pcs(&s, pcs);
}
