/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mail.h - how a library that passes messages tells Heddle what it does.  <heddle/actor.h> uses it; so may any other
 * library.  A program that only sends messages does not need it.
 *
 * A mailbox is an address, and so is each place of a message in it.  Places are filled in the order in which messages are
 * sent.  One thread, the owner, takes messages out, in the same order.
 *
 *     heddle_mail_send(box, idle, what);       before the message is put in: waits for its turn
 *     heddle_mail_put(place_of_this_message);  after it is put in
 *     heddle_mail_receive(place_of_the_next_message, box);  before a message is taken out: waits until there is one
 *
 * So two sends to one mailbox are ordered, sends to different ones are not, and a receive depends on the send of
 * its message alone.  Between two of these calls no other thread runs.
 *
 * Like those of heddle.h these functions do nothing in an ordinary run, and need no library. */
#ifndef HEDDLE_MAIL_H
#define HEDDLE_MAIL_H

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_WEAK_ __attribute__((weak)) extern
HEDDLE_WEAK_ void heddle_rt_mail_send(const void *box, const void *idle, const char *what);
HEDDLE_WEAK_ void heddle_rt_mail_effect(const void *box, const void *node, const char *what);
HEDDLE_WEAK_ void heddle_rt_mail_owner(const void *box);
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

/* A message is about to enter the mailbox.  `what`: its name in reports, a text that lives as long as the program.
 * idle: see heddle_mail_busy; null if the mailbox does not count. */
HEDDLE_MAIL_(heddle_mail_send(const void *box, const void *idle, const char *what))
{
    if (heddle_rt_mail_send != 0)
        heddle_rt_mail_send(box, idle, what);
}

/* The same, by a part of a machine that may fail (heddle_mail_strike of `node`): after the call it looks whether it has.  `box` may
 * be anything that the effect changes.  Not for mailboxes that count, unless something is to be done until the effect is over. */
HEDDLE_MAIL_(heddle_mail_effect(const void *box, const void *node, const char *what))
{
    if (heddle_rt_mail_effect != 0)
        heddle_rt_mail_effect(box, node, what);
}

/* The thread that the caller has created last owns the mailbox.  Optional: reports can then name it. */
HEDDLE_MAIL_(heddle_mail_owner(const void *box))
{
    if (heddle_rt_mail_owner != 0)
        heddle_rt_mail_owner(box);
}

HEDDLE_MAIL_(heddle_mail_put(const void *place))
{
    if (heddle_rt_mail_put != 0)
        heddle_rt_mail_put(place);
}

/* Waits for a message in this place, for the owner.  box is null unless others can see how full the mailbox is. */
HEDDLE_MAIL_(heddle_mail_receive(const void *place, const void *box))
{
    if (heddle_rt_mail_receive != 0)
        heddle_rt_mail_receive(place, box);
}

/* Something depends on what is in the mailbox now: is it empty, is it full?  Any address will do: also for other
 * state that is shared without a lock. */
HEDDLE_MAIL_(heddle_mail_look(const void *box))
{
    if (heddle_rt_mail_look != 0)
        heddle_rt_mail_look(box);
}

/* It is changed by other means than a send. */
HEDDLE_MAIL_(heddle_mail_write(const void *box))
{
    if (heddle_rt_mail_write != 0)
        heddle_rt_mail_write(box);
}

/* The same, by a failure that was decided on before.  Searches that sample draw its moment, so that late failures are as likely
 * as early ones. */
HEDDLE_MAIL_(heddle_mail_strike(const void *box))
{
    if (heddle_rt_mail_strike != 0)
        heddle_rt_mail_strike(box);
}

/* Something more, or less, is to be done before all is quiet.  Each message that was sent with `idle` is one more until a
 * call with -1, after the action that it causes. */
HEDDLE_MAIL_(heddle_mail_busy(const void *idle, int more))
{
    if (heddle_rt_mail_busy != 0)
        heddle_rt_mail_busy(idle, more);
}

/* Waits until nothing more is to be done. */
HEDDLE_MAIL_(heddle_mail_quiet(const void *idle))
{
    if (heddle_rt_mail_quiet != 0)
        heddle_rt_mail_quiet(idle);
}

/* A failure that `heddle run --faults crash=1,drop=2` asks for: does it happen here?  1: yes; 0: no; -1: not in this run. */
enum heddle_fault {
    HEDDLE_FAULT_CRASH,
    HEDDLE_FAULT_DROP,
    HEDDLE_FAULT_DUPLICATE,
    HEDDLE_FAULT_DELAY,
    HEDDLE_FAULT_PARTITION,
    HEDDLE_FAULT_TIMER
};

/* Is it asked for at all? */
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
