/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mail.c - texts for messages. */
#include "report/evidence/mail.h"

#include <stdio.h>
#include <string.h>

#include "report/evidence/describe.h"
#include "report/names/symbols.h"

/* A message that is a text constant is written in quotes. */
void hd_mail_name(const struct hd_report *r, const struct hd_event *e, char *buf, size_t cap)
{
    char text[64];

    buf[0] = '\0';
    if (hd_symbols_string(r->symbols, e->value, text, sizeof text) && text[0] == '"') {
        text[strcspn(text + 1, "\"") + 1] = '\0';
        snprintf(buf, cap, "%s", text + 1);
    }
}

static bool is_send(const struct hd_event *e)
{
    return e->kind == HD_EV_MAIL_SEND || e->kind == HD_EV_MAIL_EFFECT;
}

bool hd_mail_is_message(const struct hd_event *e)
{
    return is_send(e) && e->peer != HD_NO_TID;
}

/* What a thread does between a failure and the message that tells an actor of it. */
static bool is_between(const struct hd_event *e)
{
    return is_send(e) || e->kind == HD_EV_MAIL_PUT || e->kind == HD_EV_MAIL_BUSY || e->kind == HD_EV_MAIL_LOOK;
}

static bool is_named_crash(const struct hd_report *r, const struct hd_event *e)
{
    char name[64];

    if (!hd_mail_is_message(e))
        return false;
    hd_mail_name(r, e, name, sizeof name);
    return strcmp(name, "crash") == 0;
}

const struct hd_event *hd_mail_failure(const struct hd_report *r, const struct hd_event *crash)
{
    for (const struct hd_event *e = crash; e-- > r->events;) {
        if (e->tid != crash->tid)
            continue;
        if (e->kind == HD_EV_MAIL_STRIKE)
            return e;
        if (!is_between(e) || (hd_mail_is_message(e) && !is_named_crash(r, e)))
            return NULL;
    }
    return NULL;
}

bool hd_mail_is_crash(const struct hd_report *r, const struct hd_event *e)
{
    return is_named_crash(r, e) && hd_mail_failure(r, e) != NULL;
}

bool hd_mail_ends_actors(const struct hd_report *r, const struct hd_event *e)
{
    const struct hd_event *end = r->events + r->nevents;

    if (e->kind != HD_EV_MAIL_STRIKE)
        return false;
    for (const struct hd_event *next = e + 1; next < end; next++) {
        if (next->tid != e->tid)
            continue;
        if (is_named_crash(r, next))
            return true;
        if (!is_between(next))
            return false;
    }
    return false;
}

const struct hd_event *hd_mail_sent(const struct hd_report *r, const struct hd_event *receive)
{
    const struct hd_event *put = receive;

    do {
        if (put == r->events)
            return NULL;
        put--;
    } while (put->kind != HD_EV_MAIL_PUT || put->obj != receive->obj);
    for (const struct hd_event *e = put; e-- > r->events;)
        if (e->tid == put->tid && is_send(e))
            return e;
    return NULL;
}

bool hd_mail_parts(const struct hd_report *r, const struct hd_event *e, bool pending, char *verb, size_t verb_cap,
                      char *who, size_t who_cap)
{
    const struct hd_event *sent = is_send(e) ? e : NULL;
    bool receives = e->kind == HD_EV_MAIL_RECEIVE;
    char name[64];

    if (pending)
        return false;
    if (receives)
        sent = hd_mail_sent(r, e);
    if (sent == NULL || (!receives && sent->peer == HD_NO_TID))
        return false;
    hd_mail_name(r, sent, name, sizeof name);
    snprintf(verb, verb_cap, "%s%s%s %s", receives ? "receive" : "send", name[0] != '\0' ? " " : "", name,
             receives ? "from" : "to");
    hd_describe_tid(receives ? sent->tid : sent->peer, who, who_cap);
    return true;
}
