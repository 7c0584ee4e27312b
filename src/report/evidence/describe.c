/* SPDX-License-Identifier: BSD-2-Clause
 *
 * describe.c - texts for the threads, objects and operations of a finding. */
#include "report/evidence/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/heap.h"
#include "model/state.h"
#include "report/evidence/accesses.h"
#include "report/evidence/history.h"
#include "report/evidence/lasting.h"
#include "report/evidence/library_lock.h"
#include "report/evidence/mail.h"
#include "report/evidence/transaction.h"
#include "report/evidence/memory.h"
#include "report/evidence/place.h"
#include "report/evidence/state.h"
#include "report/evidence/value.h"
#include "report/names/operand.h"
#include "report/print/text.h"

/* ---- threads and objects -------------------------------------------------------------- */

void hd_describe_tid(hd_tid tid, char *buf, size_t cap)
{
    if (tid == 0)
        snprintf(buf, cap, "main");
    else if (tid == HD_NO_TID)
        snprintf(buf, cap, "?");
    else
        snprintf(buf, cap, "T%u", tid);
}

void hd_describe_thread(const struct hd_report *r, hd_tid tid, char *buf, size_t cap)
{
    char name[sizeof r->threads->name + 1] = "";

    if (tid != HD_NO_TID && tid < r->nthreads)
        memcpy(name, r->threads[tid].name, sizeof r->threads->name);
    hd_describe_tid(tid, buf, cap);
    if (name[0] != '\0' && tid != 0) {
        char shown[4 * sizeof name];
        size_t n = strlen(buf);

        hd_text_visible(name, shown, sizeof shown);
        snprintf(buf + n, cap - n, " (%s)", shown);
    }
}

static const struct hd_object_info *object_row(const struct hd_report *r, uint32_t obj)
{
    if (obj == 0 || obj >= r->wire->common->nobjects || obj >= HD_MAX_OBJECTS)
        return NULL;
    const struct hd_object_info *o = &r->wire->common->objects[obj];

    /* The row of a condition's or futex's tokens follows the row of the condition or futex.
     * Reports use the name of the latter for both. */
    if ((o->type == HD_OBJ_COND_TOKENS || o->type == HD_OBJ_FUTEX_TOKENS) && obj > 1)
        return o - 1;
    return o;
}

bool hd_report_is_lock(const struct hd_report *r, uint32_t obj)
{
    const struct hd_object_info *o = object_row(r, obj);

    return o != NULL && o->type != HD_OBJ_BARRIER;
}

/* True if a variable of that type can be the object.  The function that had the object on its stack
 * may have ended, and the frame of another function may be there now. */
static bool can_be(enum hd_object_type object, const char *type)
{
    static const char *const words[HD_OBJ_TYPES][3] = {
        [HD_OBJ_MUTEX] = { "mutex", "mtx" }, [HD_OBJ_COND] = { "cond", "cnd" }, [HD_OBJ_SPIN] = { "spin" },
        [HD_OBJ_RWLOCK] = { "rwlock", "mutex" }, [HD_OBJ_SEM] = { "sem" }, [HD_OBJ_BARRIER] = { "barrier" },
        [HD_OBJ_ONCE] = { "once" },
    };
    const char *const *w = words[object];

    if (w[0] == NULL)
        return strstr(type, "char") == NULL;
    for (; *w != NULL; w++)
        if (strstr(type, *w) != NULL)
            return true;
    return false;
}

/* Returns true if the object has a name from the program's source. */
static bool name_object(const struct hd_report *r, const struct hd_object_info *o, char *buf, size_t cap)
{
    struct hd_memory m;

    switch (hd_cname_region(o->name)) {
    case HD_REG_THREAD:
        hd_describe_tid(hd_report_thread_of_slot(r, hd_cname_index(o->name)), buf, cap);
        return true;
    case HD_REG_PROCESS:
        hd_state_text(o->name, buf, cap);
        return true;
    default:
        break;
    }
    bool known = hd_memory_name(r, o->name, o->addr, &m);

    if (known && hd_cname_region(o->name) == HD_REG_STACK && !can_be((enum hd_object_type)o->type, m.type)) {
        hd_memory_unnamed(r, o->name, o->addr, &m);
        known = false;
    }
    snprintf(buf, cap, "%s", m.name);
    return known;
}

void hd_describe_object(const struct hd_report *r, uint32_t obj, char *buf, size_t cap)
{
    const struct hd_object_info *o = object_row(r, obj);

    buf[0] = '\0';
    if (o != NULL)
        name_object(r, o, buf, cap);
}

void hd_describe_typed_object(const struct hd_report *r, uint32_t obj, char *buf, size_t cap)
{
    const struct hd_object_info *o = object_row(r, obj);
    char name[256] = "";
    bool known = o == NULL || name_object(r, o, name, sizeof name);

    if (o == NULL || hd_cname_region(o->name) == HD_REG_PROCESS)
        snprintf(buf, cap, "%s", name);
    else
        snprintf(buf, cap, "%s %s%s", hd_object_type_text((enum hd_object_type)o->type),
                 known || hd_cname_region(o->name) == HD_REG_OTHER ? "" : "on the ", name);
}

/* The runtime writes object numbers with HD_NAMED: between the control characters \001 and \002. */
void hd_describe_message(const struct hd_report *r, char *buf, size_t cap)
{
    const char *m = r->finding->message;
    size_t at = 0;

    while (*m != '\0' && at + 1 < cap) {
        unsigned id;
        int n = 0;

        if (sscanf(m, "\001%u\002%n", &id, &n) == 1 && n > 0) {
            hd_describe_typed_object(r, id, buf + at, cap - at);
            at += strlen(buf + at);
            m += n;
        } else {
            buf[at++] = *m++;
        }
    }
    buf[at] = '\0';
}

void hd_describe_build_id(const uint8_t *id, uint32_t len, char *buf, size_t cap)
{
    buf[0] = '\0';
    for (uint32_t i = 0; i < len && 2 * (size_t)i + 3 <= cap; i++)
        snprintf(buf + 2 * i, cap - 2 * i, "%02x", id[i]);
}

/* ---- operations ----------------------------------------------------------------------- */

bool hd_describe_is_signal(const struct hd_report *r, const struct hd_event *e)
{
    const struct hd_object_info *o = hd_kind_is_io(e->kind) ? object_row(r, e->obj2) : NULL;

    return o != NULL && o->name == hd_state_name(HD_STATE_SIGNALS);
}

/* Returns the function that the source line of an input or output calls, or a text for any. */
static const char *io_call(const struct hd_report *r, const struct hd_event *e)
{
    struct hd_frame f[HD_MAX_FRAMES];
    const struct hd_frame *own = hd_symbols_own_frame(
        f, hd_symbols_frames(r->symbols, hd_report_place(r, e), true, f, HD_MAX_FRAMES));
    char line[512];
    const char *call = own->line > 0 && hd_source_line(own->file, own->line, line, sizeof line)
                           ? hd_io_call_of_line(line) : NULL;

    if (call != NULL)
        return call;
    return e->kind == HD_EV_IO ? "use a descriptor" : "wait for a descriptor";
}

/* Returns the verb of the event.  The table of kinds puts the family first ("mutex lock").  This
 * function drops the family if the object or the verb makes it clear. */
static const char *verb_of(const struct hd_report *r, const struct hd_event *e)
{
    static const char *const dropped[] = { "mutex ", "rwlock ", "spin ", "sem ", "atomic ",
                                           "thread " };
    const char *text = hd_kind_info[e->kind].text;

    if (hd_describe_is_signal(r, e))
        return e->kind == HD_EV_IO_WAIT ? "sigwait" : "send signal";
    if (hd_kind_is_io(e->kind))
        return io_call(r, e);
    if (e->kind == HD_EV_PLAIN_WRITE && e->value == HD_PLAIN_FREES)
        return "free";
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (strncmp(text, dropped[i], strlen(dropped[i])) == 0)
            return text + strlen(dropped[i]);
    return text;
}

/* Writes the name of the block that the event frees.  Returns false if it frees none, or if the
 * block has no name. */
static bool freed_block(const struct hd_report *r, const struct hd_event *e, char *buf, size_t cap)
{
    const struct hd_object_info *o =
        e->kind == HD_EV_PLAIN_WRITE && e->value == HD_PLAIN_FREES ? object_row(r, e->obj) : NULL;
    const struct hd_block_info *b = o != NULL ? hd_memory_block(r, o->addr) : NULL;
    struct hd_memory m;

    if (b == NULL || !hd_memory_name(r, o->name, b->addr - HD_BLOCK_LIFE, &m))
        return false;
    snprintf(buf, cap, "%s", m.name);
    return true;
}

static void object_of(const struct hd_report *r, const struct hd_event *e, char *buf, size_t cap)
{
    unsigned props = hd_kind_info[e->kind].props;

    buf[0] = '\0';
    if (freed_block(r, e, buf, cap) || hd_history_operation(r, e, buf, cap))
        return;
    if (props & HD_PROP_PEER && e->peer != HD_NO_TID)
        hd_describe_tid(e->peer, buf, cap);
    else if (e->kind == HD_EV_COND_WAIT || e->kind == HD_EV_COND_WAKE)
        hd_describe_object(r, e->obj2 != 0 ? e->obj2 : e->obj, buf, cap);
    else if (!(props & HD_PROP_NO_OBJECT))
        hd_describe_object(r, e->obj, buf, cap);
}

const char *hd_fault_call(const struct hd_event *e)
{
    static const char *const calls[] = { [HD_CALL_MALLOC] = "malloc", [HD_CALL_CALLOC] = "calloc",
                                         [HD_CALL_REALLOC] = "realloc",
                                         [HD_CALL_ALIGNED] = "aligned allocation",
                                         [HD_CALL_NEW] = "new" };

    if (e->kind == HD_EV_FAULT_MALLOC && e->obj2 >= HD_CALL_MALLOC && e->obj2 <= HD_CALL_NEW)
        return calls[e->obj2];
    return e->kind == HD_EV_FAULT_WAKEUP ? "wait" : hd_kind_info[e->kind].text;
}

const char *hd_fault_outcome(const struct hd_event *e)
{
    if (e->kind >= HD_EV_FAULT_CRASH && e->kind <= HD_EV_FAULT_TIMER)
        return "happened";
    return e->kind == HD_EV_FAULT_WAKEUP  ? "ended for no reason"
           : e->kind == HD_EV_FAULT_EINTR ? "ended with EINTR"
                                          : "failed";
}

static bool shows_value(const struct hd_event *e)
{
    return e->kind == HD_EV_ATOMIC_LOAD || e->kind == HD_EV_ATOMIC_STORE ||
           e->kind == HD_EV_ATOMIC_RMW || e->kind == HD_EV_ATOMIC_CAS;
}

const char *hd_describe_site(const struct hd_report *r, const struct hd_event *e)
{
    return hd_symbols_site(r->symbols, hd_report_place(r, e));
}

enum hd_switch hd_describe_switch(const struct hd_event *before, const struct hd_event *now)
{
    if (now->flags & HD_EVF_PREEMPTED)
        return HD_SWITCH_PREEMPTED;
    if (before->kind == HD_EV_THREAD_END || before->kind == HD_EV_EXIT_END)
        return HD_SWITCH_FINISHED;
    if (hd_kind_info[before->kind].traits & HD_TRAIT_YIELDS)
        return HD_SWITCH_YIELDED;
    return HD_SWITCH_BLOCKED;
}

/* True if an injected fault ended the wait.  The fault was chosen before the wait began. */
static bool woken_by_fault(const struct hd_report *r, const struct hd_event *e)
{
    hd_tid tid = e->tid;

    if (e->kind != HD_EV_COND_TIMEOUT)
        return false;
    for (uint32_t i = (uint32_t)(e - r->events); i-- > 0;) {
        const struct hd_event *before = &r->events[i];

        if (before->tid == tid && before->kind == HD_EV_FAULT_WAKEUP)
            return before->value == HD_FAULT_TAKEN;
        if (before->tid == tid && before->kind != HD_EV_COND_WAIT)
            return false;
    }
    return false;
}

/* True if HD_EVF_FAILED is not an outcome to print: at a barrier it selects the access class, the name of a timeout
 * already implies it, and so does the abort after a transactional write. */
static bool fails_silently(const struct hd_event *e)
{
    return e->kind == HD_EV_BARRIER_ARRIVE || e->kind == HD_EV_BARRIER_LEAVE || e->kind == HD_EV_COND_TIMEOUT ||
           e->kind == HD_EV_FUTEX_TIMEOUT || e->kind == HD_EV_TX_WRITE;
}

/* Writes the value that the event read or wrote; "" if it has none. */
static void value_of(const struct hd_report *r, const struct hd_event *e, char *buf, size_t cap)
{
    const struct hd_object_info *o = object_row(r, e->obj);
    const struct hd_plain_access *a = hd_accesses_of_event(r, e);
    unsigned size = 1u << (e->flags >> HD_EVF_SIZE_SHIFT);

    if (a != NULL && a->valued)
        hd_describe_value(r, a->name, a->addr, a->value, a->size, buf, cap);
    else if (o != NULL && shows_value(e))
        hd_describe_value(r, o->name, o->addr, e->value, size, buf, cap);
    if (buf[0] == '\0' && shows_value(e))
        hd_describe_value(r, 0, 0, e->value, size, buf, cap); /* printed as a number, because it is
                                                               * a whole atomic object */
}

static void choice_parts(const struct hd_event *e, bool pending, struct hd_operation *o)
{
    if (pending)
        snprintf(o->verb, sizeof o->verb, "choose");
    else
        snprintf(o->verb, sizeof o->verb, "choose: %llu", (unsigned long long)e->value);
    snprintf(o->value, sizeof o->value, " (of 0..%u)", e->aux - 1);
}

void hd_describe_parts(const struct hd_report *r, const struct hd_event *e, bool pending,
                       struct hd_operation *o)
{
    o->object[0] = o->value[0] = '\0';
    o->outcome = "";
    if (hd_transaction_parts(r, e, pending, o))
        return;
    if (e->kind == HD_EV_CHOOSE) {
        choice_parts(e, pending, o);
    } else if (hd_kind_is_fault(e->kind)) {
        snprintf(o->verb, sizeof o->verb, "%s%s", hd_fault_call(e),
                 !pending && e->value == HD_FAULT_TAKEN ? ": FAULT" : "");
    } else if (hd_mail_parts(r, e, pending, o->verb, sizeof o->verb, o->object, sizeof o->object)) {
        o->value[0] = '\0';
    } else if (hd_library_lock_parts(r, e, pending, o)) {
        o->value[0] = '\0';
    } else if (!pending && woken_by_fault(r, e)) {
        snprintf(o->verb, sizeof o->verb, "woken for no reason");
        snprintf(o->value, sizeof o->value, " (fault)");
    } else {
        const char *verb = pending && e->kind == HD_EV_COND_WAKE ? "signal of" : verb_of(r, e);
        bool call = hd_kind_is_io(e->kind) && strchr(verb, ' ') == NULL;

        snprintf(o->verb, sizeof o->verb, "%s%s", verb, call ? "()" : "");
        object_of(r, e, o->object, sizeof o->object);
        if (!pending)
            value_of(r, e, o->value, sizeof o->value);
        if (!pending && e->flags & HD_EVF_FAILED && !fails_silently(e))
            o->outcome = " fails";
    }
}

int hd_describe_join(const struct hd_operation *o, char *buf, size_t cap)
{
    return snprintf(buf, cap, "%s%s%s%s%s", o->verb,
                    o->verb[0] != '\0' && o->object[0] != '\0' ? " " : "", o->object, o->value,
                    o->outcome);
}

void hd_describe_operation(const struct hd_report *r, const struct hd_event *e, char *buf,
                           size_t cap)
{
    struct hd_operation o;

    hd_describe_parts(r, e, false, &o);
    hd_describe_join(&o, buf, cap);
}

void hd_describe_pending(const struct hd_report *r, const struct hd_event *e, char *buf,
                         size_t cap)
{
    struct hd_operation o;

    hd_describe_parts(r, e, true, &o);
    hd_describe_join(&o, buf, cap);
}

/* ---- the schedule --------------------------------------------------------------------- */

static bool is_plain(const struct hd_event *e)
{
    return e->kind == HD_EV_PLAIN_READ || e->kind == HD_EV_PLAIN_WRITE;
}

static bool is_step(const struct hd_event *e, const struct hd_decision *d)
{
    if (d->alternatives != 0)
        return (e->flags & HD_EVF_CHOICE) != 0;
    return (e->flags & HD_EVF_CHOICE) == 0 && e->tid == d->chosen;
}

static void fill_step(const struct hd_report *r, const struct hd_event *e, struct hd_schedule *s,
                      struct hd_schedule_step *step)
{
    char object[256];
    struct hd_lasting lasting;

    object_of(r, e, object, sizeof object);
    hd_lasting_name(r->wire, r->symbols, e, &lasting);
    step->function = hd_schedule_string(s, lasting.function);
    step->region = lasting.region;
    step->kind = e->kind;
    step->object = hd_schedule_string(s, object);
    step->site = hd_schedule_string(s, hd_describe_site(r, e));
}

/* Returns the events that are scheduling points, in order.  The caller frees the array. */
static const struct hd_event **points_of(const struct hd_report *r, uint32_t *n)
{
    const struct hd_event **points = hd_zeroed(r->nevents + 1, sizeof *points);
    hd_tid section = HD_NO_TID;

    *n = 0;
    for (uint32_t i = 0; i < r->nevents; i++)
        if (!hd_report_is_inner(&r->events[i], &section))
            points[(*n)++] = &r->events[i];
    return points;
}

/* After each decision comes the event of the operation that it let run.  The last decision has no
 * event if the thread failed in the operation: its pending operation is used instead. */
void hd_report_step_events(const struct hd_report *r, const struct hd_event **out)
{
    /* only the record of a finding can lack the first events */
    uint32_t at = 0, n, first = r->finding != NULL ? hd_report_first_step(r) : 0;
    const struct hd_event **points = points_of(r, &n);

    for (uint32_t i = 0; i < r->ndecisions; i++) {
        const struct hd_decision *d = &r->decisions[i];

        out[i] = NULL;
        if (i < first)
            continue;
        while (at < n && is_plain(points[at]) && !is_step(points[at], d))
            at++;
        if (at < n && is_step(points[at], d))
            out[i] = points[at++];
        else if (d->alternatives == 0 && d->chosen < r->npending && i + 1 == r->ndecisions)
            out[i] = &r->pending[d->chosen];
    }
    free(points);
}

static void fill_steps(const struct hd_report *r, struct hd_schedule *s)
{
    const struct hd_event **of = hd_zeroed((size_t)r->ndecisions + 1, sizeof *of);

    hd_report_step_events(r, of);
    for (uint32_t i = 0; i < r->ndecisions; i++) {
        s->steps[i].decision = r->decisions[i];
        if (of[i] != NULL)
            fill_step(r, of[i], s, &s->steps[i]);
    }
    free(of);
}

void hd_report_schedule(const struct hd_report *r, struct hd_schedule *s)
{
    const struct hd_finding *f = r->finding;
    const struct hd_block_info *block = hd_report_block(r);

    s->kind = (enum hd_finding_kind)f->kind;
    s->message = hd_schedule_string(s, f->message);
    s->execution = r->execution;
    s->preemptions = f->preemptions;
    if (block != NULL) {
        s->leak_site = block->site;
        s->leak_expected = block->expected;
    }
    if (r->race != NULL)
        s->about = hd_schedule_string(s, hd_lasting_memory(r->symbols, r->race->name));
    if (hd_schedule_expects(s) && r->wire->common->expected.state == HD_EXPECTED_KNOWN)
        s->expected = hd_schedule_string(s, r->wire->common->expected.text);
    hd_schedule_reserve(s, r->nslots, r->nthreads, r->ndecisions);
    for (uint32_t i = 0; i < r->nslots; i++)
        s->slots[i] = (struct hd_schedule_slot){ r->slots[i].parent, r->slots[i].nth };
    for (uint32_t i = 0; i < r->nthreads; i++) {
        char name[sizeof r->threads->name + 1] = "";

        memcpy(name, r->threads[i].name, sizeof r->threads->name);
        s->threads[i] = (struct hd_schedule_thread){ r->threads[i].parent, r->threads[i].nth,
                                                     r->threads[i].slot,
                                                     hd_schedule_string(s, name) };
    }
    fill_steps(r, s);
}
