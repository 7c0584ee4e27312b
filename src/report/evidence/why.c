/* SPDX-License-Identifier: BSD-2-Clause
 *
 * why.c - names the operations whose order causes a failure.
 *
 * The cause of a data race is its pair of accesses, whatever the order of other operations.  All other
 * causes come from comparing with an execution that passes.  For memory that is used after it was
 * freed, the sentence names the free and the use if an execution with the other order passes. */
#include "report/evidence/why.h"

#include <string.h>

#include "report/evidence/describe.h"
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

static const char *noun_of(const struct hd_event *e, const struct hd_operation *o)
{
    const char *noun = hd_kind_info[e->kind].noun;

    if (noun != NULL)
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
    const char *noun = noun_of(e, &o);
    if (hd_mail_is_message(e)) {
        char name[64], to[64];

        hd_mail_name(r, e, name, sizeof name);
        hd_describe_tid(e->peer, to, sizeof to);
        noun = "message";
        snprintf(object, sizeof object, "%s%s to %s", name[0] != '\0' ? " " : "", name, to);
    } else if (o.object[0] != '\0') {
        snprintf(object, sizeof object, " %s %.200s", preposition(e), o.object);
    }
    hd_describe_tid(p->tid, who, sizeof who - 2);
    strcat(who, "'s");
    snprintf(out->text, sizeof out->text, "%s %.79s%.150s at %.80s", its ? "its" : who, noun, object,
             at_site(r, e));
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

bool hd_why_is_told(const struct hd_report *r)
{
    return r->why == NULL || r->why->sentence[0] == '\0' || r->race != NULL ||
           strstr(r->why->sentence, FREE_AT) != NULL;
}

void hd_why_text(const struct hd_text *t, const struct hd_report *r)
{
    if (hd_why_is_told(r))
        return;
    hd_text_ink(t, HD_INK_HEAD, "why: ");
    hd_text_wrap(t, 5, 5, r->why->sentence);
}
