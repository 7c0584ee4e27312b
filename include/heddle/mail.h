/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mail.h - with this header a message-passing library tells Heddle what it does. <heddle/actor.h> uses it, and
 * any other library may.  A program that only uses such a library does not need it.
 *
 * A mailbox is identified by an address, and so is each place for a message in it.  Places are filled in the
 * order in which messages are sent.  One thread, the owner, takes messages out in the same order.
 *
 *     heddle_mail_send(box, idle, what);       before the message is put in: waits for its turn
 *     heddle_mail_put(place_of_this_message);  after it is put in
 *     heddle_mail_receive(place_of_the_next_message, box);  before a message is taken out: waits until there is one
 *
 * So Heddle explores both orders of two sends to one mailbox, but not of sends to different ones, and a receive
 * depends only on the send of its message.  Between two of these calls no other thread runs.
 *
 * Code of such a library that is linked into the program and was not compiled with `heddle cc` belongs in a section with the name
 * heddle_announces.  Heddle then knows that it need not see what that code does.
 *
 * Like those of heddle.h, these functions do nothing in an ordinary run and need no library. */
#ifndef HEDDLE_MAIL_H
#define HEDDLE_MAIL_H

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_WEAK_ __attribute__((weak)) extern
HEDDLE_WEAK_ void heddle_rt_mail_send(const void *box, const void *idle, const char *what);
HEDDLE_WEAK_ void heddle_rt_mail_effect(const void *box, const void *node, const char *what);
HEDDLE_WEAK_ void heddle_rt_mail_owner(const void *box);
HEDDLE_WEAK_ void heddle_rt_mail_own(const void *box);
HEDDLE_WEAK_ void heddle_rt_mail_put(const void *place);
HEDDLE_WEAK_ void heddle_rt_mail_receive(const void *place, const void *box);
HEDDLE_WEAK_ void heddle_rt_mail_look(const void *box);
HEDDLE_WEAK_ void heddle_rt_mail_write(const void *box);
HEDDLE_WEAK_ void heddle_rt_mail_strike(const void *box);
HEDDLE_WEAK_ void heddle_rt_mail_busy(const void *idle, int more);
HEDDLE_WEAK_ void heddle_rt_mail_quiet(const void *idle);
HEDDLE_WEAK_ int heddle_rt_mail_asks(unsigned which);
HEDDLE_WEAK_ int heddle_rt_mail_fault(unsigned which);
#undef HEDDLE_WEAK_

#define HEDDLE_MAIL_(call) static inline __attribute__((always_inline, unused)) void call

/* Call before a message enters the mailbox. `what` is its name in reports, a text that exists as long as the
 * program. idle: see heddle_mail_busy; null if the message does not count there. */
HEDDLE_MAIL_(heddle_mail_send(const void *box, const void *idle, const char *what))
{
    if (heddle_rt_mail_send != 0)
        heddle_rt_mail_send(box, idle, what);
}

/* Like heddle_mail_send, for any change by a thread of a machine that may fail.  `node` identifies the machine, as in
 * heddle_mail_strike.  After the call the thread must check whether the machine has failed.  `box` may be anything that
 * the change affects.  Do not use it for a mailbox whose messages count (heddle_mail_busy), unless something else counts
 * until the change is complete. */
HEDDLE_MAIL_(heddle_mail_effect(const void *box, const void *node, const char *what))
{
    if (heddle_rt_mail_effect != 0)
        heddle_rt_mail_effect(box, node, what);
}

/* Declares that the thread which the caller has created last owns the mailbox.  Optional: reports can then name
 * the owner. */
HEDDLE_MAIL_(heddle_mail_owner(const void *box))
{
    if (heddle_rt_mail_owner != 0)
        heddle_rt_mail_owner(box);
}

/* The same for a mailbox that the running thread owns. */
HEDDLE_MAIL_(heddle_mail_own(const void *box))
{
    if (heddle_rt_mail_own != 0)
        heddle_rt_mail_own(box);
}

HEDDLE_MAIL_(heddle_mail_put(const void *place))
{
    if (heddle_rt_mail_put != 0)
        heddle_rt_mail_put(place);
}

/* Waits, in the owner, for a message in this place. box is null unless other threads can see how full the
 * mailbox is. */
HEDDLE_MAIL_(heddle_mail_receive(const void *place, const void *box))
{
    if (heddle_rt_mail_receive != 0)
        heddle_rt_mail_receive(place, box);
}

/* Call if something depends on what is in the mailbox now, for example whether it is empty or full.  Works for
 * any address, and so for any other state that is shared without a lock. */
HEDDLE_MAIL_(heddle_mail_look(const void *box))
{
    if (heddle_rt_mail_look != 0)
        heddle_rt_mail_look(box);
}

/* Call before such state (see heddle_mail_look) is changed by other means than a send. */
HEDDLE_MAIL_(heddle_mail_write(const void *box))
{
    if (heddle_rt_mail_write != 0)
        heddle_rt_mail_write(box);
}

/* Like heddle_mail_write, for a failure that was decided on before.  Sampling searches draw its moment, so that
 * late failures are as likely as early ones. */
HEDDLE_MAIL_(heddle_mail_strike(const void *box))
{
    if (heddle_rt_mail_strike != 0)
        heddle_rt_mail_strike(box);
}

/* Changes the number of tasks that are not done.  Each message sent with `idle` counts as a task; call this with -1
 * after the action that the message causes. */
HEDDLE_MAIL_(heddle_mail_busy(const void *idle, int more))
{
    if (heddle_rt_mail_busy != 0)
        heddle_rt_mail_busy(idle, more);
}

/* Waits until the number that heddle_mail_busy changes is 0. */
HEDDLE_MAIL_(heddle_mail_quiet(const void *idle))
{
    if (heddle_rt_mail_quiet != 0)
        heddle_rt_mail_quiet(idle);
}

/* The failures that `heddle run --faults crash=1,drop=2` injects. heddle_mail_fault tells whether one happens
 * here: 1: yes; 0: no; -1: never in this run. */
enum heddle_fault {
    HEDDLE_FAULT_CRASH,
    HEDDLE_FAULT_DROP,
    HEDDLE_FAULT_DUPLICATE,
    HEDDLE_FAULT_DELAY,
    HEDDLE_FAULT_PARTITION,
    HEDDLE_FAULT_TIMER
};

/* True if the user asked for this fault at all. */
static inline __attribute__((always_inline, unused)) int heddle_mail_asks(enum heddle_fault which)
{
    return heddle_rt_mail_asks != 0 ? heddle_rt_mail_asks((unsigned)which) : 0;
}

static inline __attribute__((always_inline, unused)) int heddle_mail_fault(enum heddle_fault which)
{
    return heddle_rt_mail_fault != 0 ? heddle_rt_mail_fault((unsigned)which) : -1;
}

#ifdef __cplusplus
}
#endif

#endif
