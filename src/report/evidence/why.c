/* SPDX-License-Identifier: BSD-2-Clause
 *
 * why.c - names the operations whose order causes a failure.
 *
 * The cause of a data race is its pair of accesses, whatever the order of other operations.  All other
 * causes come from comparing with an execution that passes.  For memory that is used after it was
 * freed, the sentence names the free and the use if an execution with the other order passes. */
#include "report/evidence/why.h"

#include <string.h>

#include "report/evidence/accesses.h"
#include "report/evidence/describe.h"
#include "report/evidence/futex_lock.h"
#include "report/evidence/library_lock.h"
#include "report/evidence/mail.h"
#include "report/evidence/place.h"
#include "report/evidence/race.h"

#define FREE_AT "'s free at "

struct phrase {
    char text[420];
};

static const struct hd_event *event_of(const struct hd_report *r, const struct hd_cause_part *p)
{
    if (p->event != HD_CAUSE_PENDING)
        return p->event < r->nevents ? &r->events[p->event] : NULL;
    return p->tid < r->npending ? &r->pending[p->tid] : NULL;
}

static const char *at_site(const struct hd_report *r, const struct hd_event *e)
{
    const char *site = hd_describe_site(r, e);

    return site[0] != '\0' ? site : "?";
}

static const char *noun_of(const struct hd_report *r, const struct hd_event *e, const struct hd_operation *o)
{
    const char *noun = hd_kind_info[e->kind].noun;

    if (noun != NULL && hd_library_lock(r, e) == HD_LIBRARY_LOCK_NONE)
        return noun;
    return strncmp(o->verb, "cond ", 5) == 0 ? o->verb + 5 : o->verb;
}

static const char *preposition(const struct hd_event *e)
{
    unsigned props = hd_kind_info[e->kind].props;

    return props & HD_PROP_ON ? "on" : props & HD_PROP_FROM ? "from" : "of";
}

/* Writes "T2's lock of m at q.c:41", or "its lock ..." if the sentence has already named the
 * thread.  Returns false if the event is not in the record. */
static bool tell(const struct hd_report *r, const struct hd_cause_part *p, bool its,
                 struct phrase *out)
{
    const struct hd_event *e = event_of(r, p);
    struct hd_operation o;
    char who[64], object[280] = "";

    if (e == NULL || e->kind == HD_EV_NONE || e->kind >= HD_EV_COUNT)
        return false;
    hd_describe_parts(r, e, true, &o);
    const char *noun = noun_of(r, e, &o);
    if (hd_mail_is_message(e)) {
        char name[64], to[64];

        hd_mail_name(r, e, name, sizeof name);
        hd_describe_tid(e->peer, to, sizeof to);
        noun = "message";
        snprintf(object, sizeof object, "%s%s to %s", name[0] != '\0' ? " " : "", name, to);
    } else if (e->kind == HD_EV_MAIL_STRIKE) {
        noun = hd_mail_ends_actors(r, e) ? "crash" : "failure";
    } else if (o.object[0] != '\0') {
        snprintf(object, sizeof object, " %s %.200s", preposition(e), o.object);
    }
    hd_describe_tid(p->tid, who, sizeof who - 2);
    strcat(who, "'s");
    snprintf(out->text, sizeof out->text, "%s %.79s%.150s at %.80s%s", its ? "its" : who, noun, object,
             at_site(r, e), its && p->event == HD_CAUSE_PENDING ? ", not done yet" : "");
    return true;
}

static void add_event(struct hd_explanation *out, const struct hd_cause_part *p)
{
    if (p->event != HD_CAUSE_PENDING && out->nevents < HD_MAX_DECISIVE)
        out->event[out->nevents++] = p->event;
}

static void tell_order(const struct hd_report *r, const struct hd_cause *c,
                       struct hd_explanation *out)
{
    bool between = c->how == HD_CAUSE_BETWEEN;
    struct phrase part[3];

    for (unsigned i = 0; i < (between ? 3 : 2); i++)
        if (!tell(r, &c->part[i], i == 2, &part[i]))
            return;
    for (unsigned i = 0; i < (between ? 3 : 2); i++)
        add_event(out, &c->part[i]);
    if (between)
        snprintf(out->sentence, sizeof out->sentence, "fails because %.180s came between %.180s and %.180s",
                 part[1].text, part[0].text, part[2].text);
    else
        snprintf(out->sentence, sizeof out->sentence, "fails because %.250s came before %.250s",
                 part[0].text, part[1].text);
}

static void tell_choice(const struct hd_report *r, const struct hd_cause *c,
                        struct hd_explanation *out)
{
    const struct hd_event *e = event_of(r, &c->part[0]);
    char who[64];

    if (e == NULL)
        return;
    add_event(out, &c->part[0]);
    hd_describe_tid(e->tid, who, sizeof who);
    if (hd_kind_is_fault(e->kind) && e->value != HD_FAULT_TAKEN)
        snprintf(out->sentence, sizeof out->sentence, "fails because %s's %s at %s did not fail", who,
                 hd_fault_call(e), at_site(r, e));
    else if (hd_kind_is_fault(e->kind))
        snprintf(out->sentence, sizeof out->sentence, "fails because %s's %s at %s %s (fault)", who,
                 hd_fault_call(e), at_site(r, e), hd_fault_outcome(e));
    else
        snprintf(out->sentence, sizeof out->sentence,
                 "fails because the choice of %s at %s was %llu (of 0..%u)", who, at_site(r, e),
                 (unsigned long long)e->value, e->aux - 1u);
}

static const char *access_word(const struct hd_race_access *a)
{
    return a->frees ? "free" : a->write ? "write" : "read";
}

static void tell_race(const struct hd_report *r, struct hd_explanation *out)
{
    const struct hd_race_access *a = &r->race->race.first, *b = &r->race->race.second;
    char first[64], second[64];

    hd_describe_tid(a->tid, first, sizeof first);
    hd_describe_tid(b->tid, second, sizeof second);
    snprintf(out->sentence, sizeof out->sentence,
             "fails because nothing orders %s's %s at %.150s and %s's %s at %.150s", first,
             access_word(a), hd_symbols_site(r->symbols, hd_report_access_place(r, a)), second, access_word(b),
             hd_symbols_site(r->symbols, hd_report_access_place(r, b)));
}

static void tell_free(const struct hd_report *r, struct hd_explanation *out)
{
    const struct hd_block_info *b = hd_report_block(r);
    char freer[64], user[64];

    if (b == NULL)
        return;
    hd_describe_tid(b->freed.tid, freer, sizeof freer);
    hd_describe_tid((hd_tid)r->finding->tid, user, sizeof user);
    snprintf(out->sentence, sizeof out->sentence,
             "fails because %s" FREE_AT "%.150s came before %s's use at %.150s", freer,
             hd_symbols_site(r->symbols, b->freed.pc), user,
             hd_symbols_site(r->symbols, r->finding->pc));
}

void hd_why_tell(const struct hd_report *r, const struct hd_cause *c, struct hd_explanation *out)
{
    memset(out, 0, sizeof *out);
    if (r->race != NULL)
        tell_race(r, out);
    else if (c->how == HD_CAUSE_ALWAYS)
        snprintf(out->sentence, sizeof out->sentence,
                 c->cut      ? "none of the %u orders that were tried passes, and there are more"
                 : c->passes ? "no order near this one passes (%u tried)"
                             : "fails in every order that was tried (%u)",
                 c->tried);
    else if (c->how == HD_CAUSE_FREED)
        tell_free(r, out);
    else if (c->how == HD_CAUSE_CHOICE)
        tell_choice(r, c, out);
    else if (c->how != HD_CAUSE_UNKNOWN)
        tell_order(r, c, out);
}

/* True for a deadlock by a cycle of locks: the report already says which thread holds which lock, so the order of
 * two operations adds nothing. */
static bool is_cycle(const struct hd_report *r)
{
    hd_tid circle[HD_MAX_THREADS];

    if (r->finding->kind != HD_FK_DEADLOCK)
        return false;
    return (r->nstands > 0 && r->stands[0].how == HD_BLOCKED_STATE_IN_CYCLE) || hd_futex_lock_circle(r, circle) > 0;
}

bool hd_why_is_told(const struct hd_report *r)
{
    return r->why == NULL || r->why->sentence[0] == '\0' || r->race != NULL ||
           is_cycle(r) || strstr(r->why->sentence, FREE_AT) != NULL;
}

static bool is_write_to(const struct hd_variable *v, const struct hd_variable *read, hd_tid tid)
{
    return v->access->write && v->access->addr == read->access->addr && v->access->tid == tid;
}

/* Finds a variable that the thread of the first event reads after that event, and that the other thread writes
 * before the last event. */
static bool find_stale(const struct hd_report *r, const struct hd_variables *v, struct hd_effect *out)
{
    const uint32_t *event = r->why->event;

    for (uint32_t i = 0; i < v->n; i++) {
        const struct hd_plain_access *a = v->all[i].access;

        if (a->write || a->tid != r->events[event[0]].tid || a->position <= event[0] || a->position > event[2])
            continue;
        for (uint32_t k = i + 1; k < v->n && v->all[k].access->position <= event[2]; k++)
            if (is_write_to(&v->all[k], &v->all[i], r->events[event[1]].tid)) {
                *out = (struct hd_effect){ .write = v->all[k].access, .read = a, .stale = true };
                return true;
            }
    }
    return false;
}

/* Finds a variable that the thread of the first event writes after that event, and that the thread of the second
 * event reads after its own. */
static bool find_carried(const struct hd_report *r, const struct hd_variables *v, struct hd_effect *out)
{
    const uint32_t *event = r->why->event;

    for (uint32_t i = 0; i < v->n; i++) {
        const struct hd_plain_access *a = v->all[i].access;

        if (a->write || a->tid != r->events[event[1]].tid || a->position <= event[1])
            continue;
        for (uint32_t k = i; k-- > 0 && v->all[k].access->position > event[0];)
            if (is_write_to(&v->all[k], &v->all[i], r->events[event[0]].tid)) {
                *out = (struct hd_effect){ .write = v->all[k].access, .read = a };
                return true;
            }
    }
    return false;
}

/* Returns the number of events that the sentence names; 0 if the record does not contain them. */
static unsigned named_events(const struct hd_report *r)
{
    for (unsigned i = 0; i < r->why->nevents; i++)
        if (r->why->event[i] >= r->nevents)
            return 0;
    return r->why->nevents;
}

bool hd_why_effect(const struct hd_report *r, const struct hd_variables *v, struct hd_effect *out)
{
    unsigned n = r->why != NULL && !hd_why_is_told(r) ? named_events(r) : 0;

    return n == 3 ? find_stale(r, v, out) : n == 2 && find_carried(r, v, out);
}

/* Continues the sentence with the effect: "; T1 writes x = 1 at a.c:3, and main reads it at a.c:7".  Writes "" if none is
 * known. */
static void tell_effect(const struct hd_report *r, char *buf, size_t cap)
{
    struct hd_decisive d;
    struct hd_variables v;
    struct hd_effect effect;
    struct hd_operation o;
    char writer[16], reader[16];

    buf[0] = '\0';
    hd_decisive_find(r, &d);
    hd_variables_find(r, &d, &v);
    if (hd_why_effect(r, &v, &effect)) {
        hd_variable_operation(r, &(struct hd_variable){ .access = effect.write }, &o);
        hd_describe_tid(effect.write->tid, writer, sizeof writer);
        hd_describe_tid(effect.read->tid, reader, sizeof reader);
        snprintf(buf, cap, effect.stale ? "; %s writes %.200s%.60s at %.100s after %s has read it at %.100s"
                                        : "; %s writes %.200s%.60s at %.100s, and %s reads it at %.100s",
                 writer, o.object, o.value, hd_symbols_site(r->symbols, hd_accesses_place(r, effect.write)), reader,
                 hd_symbols_site(r->symbols, hd_accesses_place(r, effect.read)));
    }
    hd_variables_free(&v);
}

void hd_why_sentence(const struct hd_report *r, char *buf, size_t cap)
{
    char effect[HD_WHY_MAX - sizeof r->why->sentence];

    buf[0] = '\0';
    if (hd_why_is_told(r))
        return;
    tell_effect(r, effect, sizeof effect);
    snprintf(buf, cap, "%s%s", r->why->sentence, effect);
}

void hd_why_text(const struct hd_text *t, const struct hd_report *r)
{
    char sentence[HD_WHY_MAX];

    hd_why_sentence(r, sentence, sizeof sentence);
    if (sentence[0] == '\0')
        return;
    hd_text_ink(t, HD_INK_HEAD, "why: ");
    hd_text_wrap(t, 5, 5, sentence);
}
