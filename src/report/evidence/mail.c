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
