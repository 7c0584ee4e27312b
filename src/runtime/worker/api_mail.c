/* SPDX-License-Identifier: BSD-2-Clause
 *
 * api_mail.c - the functions that <heddle/mail.h> calls when the program runs under Heddle.  Like api.c, this file does
 * not include the header. */
#include <stdint.h>

#include "runtime/core/entry.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"

void heddle_rt_mail_send(const void *box, const void *idle, const char *what);
void heddle_rt_mail_put(const void *place);
void heddle_rt_mail_receive(const void *place, const void *box);
void heddle_rt_mail_look(const void *box);
void heddle_rt_mail_write(const void *box);
void heddle_rt_mail_busy(const void *idle, int more);
void heddle_rt_mail_quiet(const void *idle);

static struct hd_obj *mailbox(const void *box)
{
    return box != NULL ? hd_object(box, HD_OBJ_MAILBOX) : NULL;
}

HD_EXPORT void heddle_rt_mail_send(const void *box, const void *idle, const char *what)
{
    if (hd.cur == NULL)
        return;
    hd_op(HD_EV_MAIL_SEND, mailbox(box), idle != NULL ? hd_object(idle, HD_OBJ_ACTORS) : NULL, HD_RETURN_PC);
    hd_done((uint64_t)(uintptr_t)what, 0);
}

/* Sends to different mailboxes commute, and only one send can fill a place: the event shows no order. */
HD_EXPORT void heddle_rt_mail_put(const void *place)
{
    if (hd.cur == NULL)
        return;
    struct hd_obj *o = hd_object(place, HD_OBJ_MESSAGE);

    hd_take_effect(o, HD_EV_MAIL_PUT, 0);
    hd_note(HD_EV_MAIL_PUT, o, 0, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_mail_receive(const void *place, const void *box)
{
    if (hd.cur == NULL)
        return;
    struct hd_obj *o = hd_object(place, HD_OBJ_MESSAGE);

    hd_op(HD_EV_MAIL_RECEIVE, o, mailbox(box), HD_RETURN_PC);
    hd_take_effect(o, HD_EV_MAIL_RECEIVE, 0);
    hd_done(0, 0);
}

HD_EXPORT void heddle_rt_mail_look(const void *box)
{
    if (hd.cur == NULL)
        return;
    hd_op(HD_EV_MAIL_LOOK, mailbox(box), NULL, HD_RETURN_PC);
    hd_done(0, 0);
}

HD_EXPORT void heddle_rt_mail_write(const void *box)
{
    if (hd.cur == NULL)
        return;
    hd_op(HD_EV_MAIL_WRITE, mailbox(box), NULL, HD_RETURN_PC);
    hd_done(0, 0);
}

HD_EXPORT void heddle_rt_mail_busy(const void *idle, int more)
{
    if (hd.cur == NULL)
        return;
    enum hd_kind kind = more > 0 ? HD_EV_MAIL_BUSY : HD_EV_MAIL_DONE;
    struct hd_obj *o = hd_object(idle, HD_OBJ_ACTORS);

    hd_take_effect(o, kind, 0);
    hd_note(kind, o, 0, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_mail_quiet(const void *idle)
{
    if (hd.cur == NULL)
        return;
    hd_op(HD_EV_MAIL_QUIET, hd_object(idle, HD_OBJ_ACTORS), NULL, HD_RETURN_PC);
    hd_done(0, 0);
}
