/* SPDX-License-Identifier: BSD-2-Clause
 *
 * finding.c - writes a finding to the wire: the schedule so far, the events, every thread's stack,
 * the held objects, the output.
 *
 * The record is complete before findings_used grows (wire/wire.h, W1).  Equal findings (same
 * kind, place and message) are counted, not repeated. */
#include "runtime/report/finding.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/rules.h"
#include "runtime/core/call_stack.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/debug.h"
#include "runtime/core/execution.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/output.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/report/named_blocks.h"
#include "runtime/report/signature.h"
#include "runtime/report/suppression.h"
#include "runtime/sys/mem.h"
#include "runtime/sys/text.h"
#include "wire/wire.h"

bool hd_finding_muted;

static const struct hd_evidence none;

struct writer {
    unsigned char *at;
    unsigned char *end;
};

/* Writes the header of a section and returns it.  Returns NULL if there is no space left. */
static struct hd_section *begin_section(struct writer *w, enum hd_section_type type, unsigned tid)
{
    struct hd_section *s = (struct hd_section *)(void *)w->at;

    if (w->end - w->at < (ptrdiff_t)(2 * sizeof *s))
        return NULL;
    *s = (struct hd_section){ .type = type, .tid = tid };
    w->at += sizeof *s;
    return s;
}

static void append(struct writer *w, struct hd_section *s, const void *data, size_t bytes)
{
    if (s == NULL || (size_t)(w->end - w->at) < bytes + 2 * sizeof *s)
        return;
    hd_mem_copy(w->at, data, bytes);
    w->at += bytes;
    s->bytes += bytes;
}

static void end_section(struct writer *w, struct hd_section *s, uint32_t count)
{
    if (s == NULL)
        return;
    s->count = count;
    while ((uintptr_t)w->at & 7)
        *w->at++ = 0;
}

static void add_array(struct writer *w, enum hd_section_type type, const void *data, uint32_t count,
                      size_t each)
{
    struct hd_section *s = begin_section(w, type, HD_NO_TID);

    append(w, s, data, count * each);
    end_section(w, s, s != NULL && s->bytes == count * each ? count : 0);
}

/* Sets pcs to the calls of t, the outermost first.  Returns their number. */
static uint32_t calls_of(const struct hd_thread *t, uint64_t *pcs)
{
    const struct hd_call *top = t == hd.cur ? hd.calls : t->calls;
    uint32_t n = 0;

    for (const struct hd_call *c = hd_fiber_calls(t->slot) + 1;
         c < top && n < HD_CAPTURED_CALLS; c++)
        pcs[n++] = c->pc;
    return n;
}

static void add_calls(struct writer *w, const struct hd_thread *t)
{
    struct hd_section *s = begin_section(w, HD_SEC_CALLS, t->tid);
    uint64_t pcs[HD_CAPTURED_CALLS];
    uint32_t n = calls_of(t, pcs);

    append(w, s, pcs, n * sizeof *pcs);
    end_section(w, s, n);
}

/* Sets the part of the stack of t that is to be copied. */
static void measure_stack(const struct hd_thread *t, struct hd_stack_image *image)
{
    if (image->sp >= t->stack_lo && image->sp < t->stack_hi) {
        uint64_t room = t->stack_hi - image->sp;

        image->lo = image->sp;
        image->bytes = room < HD_CAPTURED_BYTES ? room : HD_CAPTURED_BYTES;
    }
}

static void add_stack(struct writer *w, const struct hd_thread *t, const struct hd_stack_image *here)
{
    struct hd_section *s = begin_section(w, HD_SEC_STACK, t->tid);
    const uint64_t *saved = (const uint64_t *)(uintptr_t)t->sp;
    struct hd_stack_image image = { 0 };

    if (t == hd.cur && here != NULL)
        image = *here;
    else
        image = (struct hd_stack_image){
            .pc = saved[HD_SAVED_PC], .sp = t->sp + HD_SAVED_WORDS * 8, .rbp = saved[HD_SAVED_RBP],
            .rbx = saved[HD_SAVED_RBX], .r12 = saved[HD_SAVED_R12], .r13 = saved[HD_SAVED_R13],
            .r14 = saved[HD_SAVED_R14], .r15 = saved[HD_SAVED_R15],
        };
    measure_stack(t, &image);
    append(w, s, &image, sizeof image);
    append(w, s, (const void *)(uintptr_t)image.lo, image.bytes);
    end_section(w, s, 1);
}

struct holds {
    struct writer *w;
    struct hd_section *s;
    uint32_t n;
};

static void add_hold(struct hd_obj *o, void *arg)
{
    struct holds *h = arg;
    struct hd_hold hold = { o->id, o->sync.owner, o->pc };

    if (o->sync.owner != HD_NO_TID) {
        append(h->w, h->s, &hold, sizeof hold);
        h->n++;
    }
    HD_SET_EACH(tid, &o->readers) {
        hold.tid = tid;
        append(h->w, h->s, &hold, sizeof hold);
        h->n++;
    }
}

static void add_slots(struct writer *w)
{
    struct hd_slot slots[HD_MAX_THREADS];

    add_array(w, HD_SEC_SLOTS, slots, hd_common_slots(hd.wire->common, slots), sizeof *slots);
}

static void add_output(struct writer *w)
{
    struct hd_section *s = begin_section(w, HD_SEC_OUTPUT, HD_NO_TID);
    size_t room = (size_t)(w->end - w->at);
    size_t n = s == NULL ? 0 : hd_output_read((char *)w->at, room > 131072 ? 65536 : room / 2);

    w->at += n;
    if (s != NULL)
        s->bytes = n;
    end_section(w, s, (uint32_t)n);
}

/* Returns the heap address that the finding is about, or 0 if there is none. */
static uint64_t heap_address(const struct hd_evidence *e)
{
    if (e->race != NULL)
        return e->race->addr;
    if (e->block != NULL)
        return e->block->addr;
    for (uint32_t i = 0; i < e->npolled; i++)
        if (hd_cname_region(e->polled[i].name) == HD_REG_HEAP)
            return HD_HEAP_BASE + hd_cname_index(e->polled[i].name) * HD_HEAP_STRIDE +
                   hd_cname_offset(e->polled[i].name);
    return 0;
}

static void add_named_blocks(struct writer *w, const struct hd_stack_image *here,
                             const struct hd_evidence *e)
{
    const struct hd_named_block *blocks;
    uint64_t sp = here != NULL ? here->sp : (uintptr_t)__builtin_frame_address(0);
    uint32_t n = hd_named_blocks(heap_address(e), sp, &blocks);

    if (n > 0)
        add_array(w, HD_SEC_NAMED_BLOCKS, blocks, n, sizeof *blocks);
}

static void add_end(struct writer *w, const struct hd_evidence *e)
{
    if (e->block != NULL)
        add_array(w, HD_SEC_BLOCK, e->block, 1, sizeof *e->block);
    if (e->polled != NULL)
        add_array(w, HD_SEC_POLLED, e->polled, e->npolled, sizeof *e->polled);
    if (e->cycle != NULL)
        add_array(w, HD_SEC_CYCLE, e->cycle, 1, sizeof *e->cycle);
    if (e->diff != NULL)
        add_array(w, HD_SEC_OUTPUT_DIFF, e->diff, 1, sizeof *e->diff);
    if (e->history != NULL)
        add_array(w, HD_SEC_HISTORY, e->history, e->nhistory, 1);
    if (e->nblocked > 0)
        add_array(w, HD_SEC_BLOCKED_STATES, e->blocked, e->nblocked, sizeof *e->blocked);
    begin_section(w, HD_SEC_END, 0);
}

static void add_race(struct writer *w, const struct hd_race *race, uint32_t skipped)
{
    struct hd_race_info info = { *race, hd_object_name((uintptr_t)race->addr), skipped };

    add_array(w, HD_SEC_RACE, &info, 1, sizeof info);
}

uint32_t hd_finding_events_skipped(void)
{
    return hd.exec->nevents > HD_EVENTS_KEPT ? hd.exec->nevents - HD_EVENTS_KEPT : 0;
}

static void write_sections(struct writer *w, const struct hd_stack_image *here,
                           const struct hd_evidence *e, bool lost)
{
    const struct hd_execution *x = hd.exec;
    uint32_t skip = hd_finding_events_skipped();
    struct holds h = { w, NULL, 0 };

    add_array(w, HD_SEC_DECISIONS, x->decisions, x->nsteps, sizeof *x->decisions);
    add_array(w, HD_SEC_THREADS, x->threads, x->nthreads, sizeof *x->threads);
    add_array(w, HD_SEC_PENDING, x->pending, x->nthreads, sizeof *x->pending);
    add_slots(w);
    add_array(w, HD_SEC_EVENTS, x->events + skip, x->nevents - skip, sizeof *x->events);
    if (e->race != NULL)
        add_race(w, e->race, skip);
    if (!lost) { /* the threads are in this process */
        h.s = begin_section(w, HD_SEC_HOLDS, HD_NO_TID);
        hd_object_each(add_hold, &h);
        end_section(w, h.s, h.n);
        for (unsigned i = 0; i < x->nthreads; i++)
            if (x->threads[i].state == HD_TH_LIVE || &hd.thread[i] == hd.cur) {
                add_calls(w, &hd.thread[i]);
                add_stack(w, &hd.thread[i], here);
            }
        add_named_blocks(w, here, e);
    }
    add_output(w);
    add_end(w, e);
}

/* Returns the existing record of this occurrence, NULL if there is none. */
static struct hd_finding *known(uint64_t occurrence)
{
    for (const struct hd_finding *f = hd_wire_finding_first(hd.wire); f != NULL;
         f = hd_wire_finding_next(hd.wire, f))
        if (f->occurrence == occurrence)
            return (struct hd_finding *)(uintptr_t)f;
    return NULL;
}

bool hd_ends_search(const struct hd_finding *f)
{
    if (hd.cfg->wanted != 0)
        return f->warning == HD_WARN_NONE && f->occurrence == hd.cfg->wanted;
    return f->warning == HD_WARN_NONE && hd_config_stops_at(hd.cfg, (enum hd_finding_kind)f->kind);
}

bool hd_fails_execution(const struct hd_finding *f)
{
    if (hd.cfg->wanted != 0)
        return hd_ends_search(f);
    return f->warning == HD_WARN_NONE && hd_config_fails_with(hd.cfg, (enum hd_finding_kind)f->kind);
}

/* Returns a number for the variable of a race.  Variables that a suppression cannot distinguish have the same
 * number. */
static uint64_t variable_of(const struct hd_race *race)
{
    hd_cname name = hd_object_name((uintptr_t)race->addr);

    return hd_cname_region(name) == HD_REG_MODULE
               ? name : hd_hash_mix(hd_cname_region(name), hd_cname_index(name));
}

/* Returns a number for everything that decides whether a suppression matches the finding.  The signature alone
 * does not decide that. */
static uint64_t occurrence_of(const struct hd_finding *f, const struct hd_evidence *e, bool gone)
{
    const struct hd_race *race = e->race;
    const struct hd_block_info *block = e->block;
    uint64_t h = f->signature;

    if (!hd.cfg->judged)
        return h;
    if (race != NULL)
        h = hd_hash_mix(h, hd.thread[race->first.tid].slot);
    if (race != NULL && hd.cfg->judged == HD_JUDGED_BY_VARIABLE)
        h = hd_hash_mix(h, variable_of(race));
    if (block != NULL)
        for (unsigned i = 0; i < HD_SITE_CALLS; i++)
            h = hd_hash_mix(h, hd_hash_mix(block->allocated.calls[i], block->freed.calls[i]));
    for (unsigned i = 0; i < hd.exec->nthreads && !gone; i++) {
        uint64_t pcs[HD_CAPTURED_CALLS];
        bool concerned = f->tid == HD_NO_TID ? hd.exec->threads[i].state == HD_TH_LIVE : f->tid == i;

        for (uint32_t n = concerned ? calls_of(&hd.thread[i], pcs) : 0; n > 0; n--)
            h = hd_hash_mix(h, pcs[n - 1]);
    }
    return h;
}

static uint64_t signature_of(const struct hd_finding *f, const struct hd_evidence *e)
{
    struct hd_signed of = { .stands = e->blocked, .nstands = e->nblocked,
                            .polled = e->polled, .npolled = e->npolled };

    if (e->cycle != NULL) {
        of.round = hd.exec->events + hd_finding_events_skipped() + e->cycle->first;
        of.nround = e->cycle->end - e->cycle->first;
    }
    return hd_signature(f, e->race, &of);
}

/* Sets signature and occurrence, and counts the finding.  Returns true if no record must be written: because one
 * exists or there is no space, or because the execution is only a repetition or will run again.  (An execution
 * that will run again shows the finding again.  It still continues to its end, so that it leaves the same state as
 * any other.)  gone: the threads no longer exist. */
static bool is_to_be_left_out(struct hd_finding *f, const struct hd_evidence *e, bool gone)
{
    struct hd_wire *w = hd.wire;

    f->signature = signature_of(f, e);
    f->occurrence = occurrence_of(f, e, gone);
    hd.exec->findings += hd_fails_execution(f);
    if (HD_UNLIKELY(hd_finding_muted || hd_callbacks.is_unsure()))
        return true;
    struct hd_finding *record = known(f->occurrence);

    if (record == NULL && HD_FINDINGS_BYTES - w->findings_used >= (1 << 20))
        return false;
    if (record != NULL)
        hd_suppression_hit(record);
    w->finding_hits++;
    return true;
}

/* Sets the fields of f that say where in the search it was found. */
static void fill_in(struct hd_finding *f)
{
    const struct hd_totals *t = hd_campaign_totals(&hd.wire->campaign);

    f->index = hd_execution_index(t);
    f->execution = hd.cfg->nworkers > 1 && hd.cfg->by_index ? f->index + 1
                                                            : hd.cfg->first_index + t->executions + 1;
    f->sites = hd.cfg->points == HD_POINTS_SYNC ? 0 : hd_callbacks.point_sites();
    f->waits = hd_callbacks.wait_places();
    f->step = hd.exec->nsteps;
    f->preemptions = hd.exec->preemptions;
    f->nthreads = hd.exec->nthreads;
}

/* Makes the record visible (wire/wire.h, W1).  The record is already written, after the last
 * visible one. */
static void publish(struct hd_finding *f, const unsigned char *end)
{
    struct hd_wire *w = hd.wire;
    unsigned char *head = w->findings + w->findings_used;
    bool stops = hd_ends_search(f) && !hd_config_awaits_suppression(hd.cfg);

    f->number = w->nfindings + 1;
    f->size = (uint64_t)(end - head);
    hd_suppression_hit(f);
    hd_mem_copy(head, f, sizeof *f);
    HD_CHECK(f->size >= sizeof *f && w->findings_used + f->size <= HD_FINDINGS_BYTES,
             "W1: a finding is a whole record inside of the wire");
    if (stops && w->nstopping == 0)
        w->found_in = hd.exec->index;
    w->nstopping += stops;
    w->nfindings++;
    __atomic_store_n(&w->findings_used, w->findings_used + f->size, __ATOMIC_RELEASE);
    if (stops)
        hd_common_found(w->common, f->index);
    if (HD_UNLIKELY(hd.cfg->debug) && f->warning == HD_WARN_NONE)
        hd_debug_found(f);
}

/* Writes a new record.  Call only after is_to_be_left_out has returned false. */
static void emit_new(struct hd_finding *f, const struct hd_stack_image *here,
                     const struct hd_evidence *e, bool lost)
{
    struct hd_wire *w = hd.wire;
    struct writer out = { w->findings + w->findings_used, w->findings + HD_FINDINGS_BYTES };

    fill_in(f);
    out.at += sizeof *f;
    write_sections(&out, here, e, lost);
    publish(f, out.at);
}

void hd_finding_emit(struct hd_finding *f, const struct hd_stack_image *here,
                     const struct hd_evidence *e, bool lost)
{
    e = e != NULL ? e : &none;
    if (!is_to_be_left_out(f, e, lost))
        emit_new(f, here, e, lost);
}

void hd_finding_warn(struct hd_finding *f, const struct hd_lock_step *steps, uint32_t n)
{
    struct hd_wire *w = hd.wire;
    struct writer out = { w->findings + w->findings_used, w->findings + HD_FINDINGS_BYTES };

    if (w->nwarnings == HD_MAX_WARNINGS || known(f->signature) != NULL ||
        out.end - out.at < (1 << 20))
        return;
    f->occurrence = f->signature;
    fill_in(f);
    out.at += sizeof *f;
    if (n > 0)
        add_array(&out, HD_SEC_LOCKS, steps, n, sizeof *steps);
    add_named_blocks(&out, NULL, &none);
    write_sections(&out, NULL, &none, true);
    w->nwarnings++;
    publish(f, out.at);
}

void hd_finding_keep(void)
{
    struct hd_wire *w = hd.wire;
    struct hd_finding f = { 0 };
    struct writer out = { w->kept + sizeof f, w->kept + HD_KEPT_BYTES };

    fill_in(&f);
    write_sections(&out, NULL, &none, false);
    hd_mem_copy(w->kept, &f, sizeof f);
    w->kept_size = (uint64_t)(out.at - w->kept) - sizeof(struct hd_section); /* without the end section */
}

void hd_finding_emit_kept(struct hd_finding *f, const struct hd_evidence *e)
{
    struct hd_wire *w = hd.wire;
    const struct hd_finding *kept = (const struct hd_finding *)(const void *)w->kept;
    struct writer out = { w->findings + w->findings_used, w->findings + HD_FINDINGS_BYTES };

    if (w->kept_size == 0 || (uint64_t)(out.end - out.at) < 2 * w->kept_size ||
        is_to_be_left_out(f, e, true))
        return;
    f->index = hd_execution_index(hd_campaign_totals(&w->campaign)); /* was not known when the execution was saved */
    f->execution = kept->execution;
    f->step = kept->step;
    f->preemptions = kept->preemptions;
    f->nthreads = kept->nthreads;
    f->sites = kept->sites;
    hd_mem_copy(out.at, w->kept, w->kept_size);
    out.at += w->kept_size;
    add_end(&out, e);
    publish(f, out.at);
}

static void capture_here(struct hd_stack_image *s)
{
    __asm__ volatile("leaq 1f(%%rip), %%rax\n1:\n\t"
                     "movq %%rax, 0(%0)\n\tmovq %%rsp, 8(%0)\n\tmovq %%rbp, 16(%0)\n\t"
                     "movq %%rbx, 24(%0)\n\tmovq %%r12, 32(%0)\n\tmovq %%r13, 40(%0)\n\t"
                     "movq %%r14, 48(%0)\n\tmovq %%r15, 56(%0)"
                     :
                     : "r"(s)
                     : "rax", "memory");
}

void hd_finding_capture(struct hd_capture *c, uint64_t pc)
{
    const struct hd_thread *t = hd.cur;

    c->pc = pc;
    c->position = hd.exec->nevents;
    c->tid = t->tid;
    c->ncalls = calls_of(t, c->calls);
    capture_here(&c->image);
    c->image.lo = c->image.bytes = 0;
    measure_stack(t, &c->image);
    hd_mem_copy(c->stack, (const void *)(uintptr_t)c->image.lo, c->image.bytes);
}

void hd_finding_calls(uint64_t *pcs, unsigned n)
{
    const struct hd_call *bottom = hd_fiber_calls(hd.cur->slot), *c = hd.calls;

    for (unsigned i = 0; i < n; i++)
        pcs[i] = --c > bottom ? c->pc : 0;
}

void hd_finding_race(const struct hd_race *race)
{
    struct hd_finding f = { .kind = HD_FK_DATA_RACE, .tid = race->second.tid,
                            .pc = race->second.pc, .address = race->addr,
                            .message = "two accesses to the same memory that nothing orders" };
    struct hd_evidence e = { .race = race };
    struct hd_stack_image here = { 0 };

    if (is_to_be_left_out(&f, &e, false))
        return;
    hd_output_flush();
    capture_here(&here);
    emit_new(&f, &here, &e, false);
}

void hd_finding_name_main(char *text, size_t cap)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
        bool word = text[i] == 'T' && text[i + 1] == '0' && (i == 0 || text[i - 1] == ' ') &&
                    (text[i + 2] < '0' || text[i + 2] > '9');
        size_t end = i;

        while (text[end] != '\0')
            end++;
        if (!word || end + 3 > cap)
            continue;
        for (size_t k = end + 2; k >= i + 4; k--)
            text[k] = text[k - 2];
        hd_mem_copy(text + i, "main", 4);
    }
}

static void report(enum hd_finding_kind kind, uint64_t pc, const struct hd_evidence *e, const char *fmt,
                   va_list ap)
{
    struct hd_finding f = { .kind = kind, .pc = pc, .address = e->address };
    struct hd_stack_image here = { 0 };

    if (hd.wire == NULL || hd.exec == NULL || !hd.in_main)
        return;
    hd_output_flush();
    capture_here(&here);
    f.tid = hd.cur != NULL && kind != HD_FK_DEADLOCK && kind != HD_FK_LIVELOCK ? hd.cur->tid : HD_NO_TID;
    hd_vformat(f.message, sizeof f.message, fmt, ap);
    hd_finding_name_main(f.message, sizeof f.message);
    hd_finding_emit(&f, hd.cur != NULL ? &here : NULL, e, false);
}

void hd_report(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
{
    va_list ap;

    if (hd.failed)
        return; /* later reports are consequences of the failure */
    va_start(ap, fmt);
    report(kind, pc, &none, fmt, ap);
    va_end(ap);
}

void hd_finding_report(enum hd_finding_kind kind, uint64_t pc, const struct hd_evidence *e,
                       const char *fmt, ...)
{
    va_list ap;

    if (hd.failed)
        return;
    va_start(ap, fmt);
    report(kind, pc, e, fmt, ap);
    va_end(ap);
}

void hd_fail(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
{
    va_list ap;

    if (hd.cur->in_section == HD_IN_TRANSACTION)
        hd_callbacks.section_leave(hd.cur, HD_SECTION_LEFT);
    va_start(ap, fmt);
    if (!hd.failed)
        report(kind, pc, &none, fmt, ap);
    va_end(ap);
    hd_thread_failed();
}
