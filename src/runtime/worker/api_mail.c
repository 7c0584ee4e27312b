/* SPDX-License-Identifier: BSD-2-Clause
 *
 * api_mail.c - the functions that <heddle/mail.h> calls when the program runs under Heddle.  Like api.c, this file does
 * not include the header. */
#include <stdint.h>

#include "runtime/core/entry.h"
#include "runtime/core/event_words.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/sys/compiler.h"
#include "runtime/watch/fault.h"

void heddle_rt_mail_send(const void *box, const void *idle, const char *what);
void heddle_rt_mail_effect(const void *box, const void *node, const char *what);
void heddle_rt_mail_owner(const void *box);
void heddle_rt_mail_own(const void *box);
void heddle_rt_mail_put(const void *place);
void heddle_rt_mail_receive(const void *place, const void *box);
void heddle_rt_mail_look(const void *box);
void heddle_rt_mail_write(const void *box);
void heddle_rt_mail_strike(const void *box);
void heddle_rt_mail_busy(const void *idle, int more);
void heddle_rt_mail_quiet(const void *idle);
int heddle_rt_mail_asks(unsigned which);
int heddle_rt_mail_fault(unsigned which);

/* True if the caller is a thread of the program under Heddle.  Also tells the search that the program sends
 * messages, which samplers treat in a special way. */
static bool is_controlled(void)
{
    if (hd.cur == NULL)
        return false;
    hd_search_sees_mail(&hd.search);
    return true;
}

static struct hd_obj *mailbox(const void *box)
{
    return box != NULL ? hd_object(box, HD_OBJ_MAILBOX) : NULL;
}

static void send(enum hd_kind kind, struct hd_obj *box, struct hd_obj *second, const char *what, uint64_t pc)
{
    hd_op(kind, box, second, pc);
    if (box->user != 0)
        hd_event_set_peer(hd_pending(), (hd_tid)(box->user - 1));
    hd_done((uint64_t)(uintptr_t)what, 0);
}

HD_EXPORT void heddle_rt_mail_send(const void *box, const void *idle, const char *what)
{
    if (is_controlled())
        send(HD_EV_MAIL_SEND, mailbox(box), idle != NULL ? hd_object(idle, HD_OBJ_ACTORS) : NULL, what, HD_RETURN_PC);
}

HD_EXPORT void heddle_rt_mail_effect(const void *box, const void *node, const char *what)
{
    if (is_controlled())
        send(HD_EV_MAIL_EFFECT, mailbox(box), mailbox(node), what, HD_RETURN_PC);
}

/* Only for reports.  The owner is the youngest thread, because the caller has just created it and nothing has run
 * since. */
HD_EXPORT void heddle_rt_mail_owner(const void *box)
{
    if (hd.cur != NULL)
        mailbox(box)->user = hd.exec->nthreads;
}

HD_EXPORT void heddle_rt_mail_own(const void *box)
{
    if (hd.cur != NULL)
        mailbox(box)->user = hd.cur->tid + 1u;
}

/* Sends to different mailboxes commute, and only one send can fill a place, so the event implies no order. */
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

HD_EXPORT void heddle_rt_mail_strike(const void *box)
{
    if (!is_controlled())
        return;
    hd_op(HD_EV_MAIL_STRIKE, mailbox(box), NULL, HD_RETURN_PC);
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

HD_EXPORT int heddle_rt_mail_asks(unsigned which)
{
    return hd.cur != NULL && which < 32 && (hd.cfg->faults & HD_FAULT_CRASH << which) != 0;
}

HD_EXPORT int heddle_rt_mail_fault(unsigned which)
{
    return hd.cur != NULL ? hd_fault_of_mail(which, HD_RETURN_PC) : -1;
}
