/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pending_signals.c - see pending_signals.h. */
#include "runtime/kernel/pending_signals.h"

#include "runtime/core/execution.h"
#include "runtime/core/fatal_signals.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "runtime/kernel/outside_signals.h"

enum {
    MAX_QUEUED = 1024,
    FIRST_QUEUED = 34 /* from here on every instance is queued (real-time signals) */
};

static struct {
    uint32_t epoch;
    struct sigaction act;
} actions[HD_SIGNALS];

static struct {
    uint32_t epoch;
    uint64_t pending; /* set of the signals that are pending for the process */
    unsigned n;
    struct queued {
        hd_tid to; /* HD_NO_TID: the process */
        siginfo_t info;
    } queue[MAX_QUEUED]; /* all pending signals, in the order of sending */
} sent;

void hd_signal_begin(void)
{
    if (sent.epoch == hd.epoch)
        return;
    sent.epoch = hd.epoch;
    sent.pending = 0;
    sent.n = 0;
}

struct sigaction hd_signal_action(int number)
{
    if (actions[number].epoch != hd.epoch) {
        actions[number].epoch = hd.epoch;
        actions[number].act = hd_outside_signal_initial(number);
    }
    return actions[number].act;
}

bool hd_signal_is_caught(int number)
{
    struct sigaction act = hd_signal_action(number);

    return act.sa_handler != SIG_DFL && act.sa_handler != SIG_IGN;
}

bool hd_signal_is_ignored(int number)
{
    struct sigaction act = hd_signal_action(number);
    bool by_default = number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;

    return act.sa_handler == SIG_IGN || (act.sa_handler == SIG_DFL && by_default);
}

bool hd_signal_is_stop(int number)
{
    return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

bool hd_signal_is_deadly(int number)
{
    return hd_signal_action(number).sa_handler == SIG_DFL && !hd_signal_is_ignored(number) && !hd_signal_is_stop(number);
}

void hd_signal_reset_action(int number)
{
    actions[number].act = (struct sigaction){ .sa_handler = SIG_DFL };
    if (!hd_signal_is_fatal(number))
        hd_outside_signal_set(number, &actions[number].act);
}

/* ---- pending signals ----------------------------------------------------------------------- */

void hd_signal_queue(hd_tid to, const siginfo_t *info)
{
    uint64_t *pending = to == HD_NO_TID ? &sent.pending : &hd.thread[to].signals.pending;

    if ((*pending & hd_signal_bit(info->si_signo)) != 0 && info->si_signo < FIRST_QUEUED)
        return;
    if (sent.n == MAX_QUEUED) {
        hd_uncontrolled("more than 1,024 signals pending at once: the next ones are lost");
        return;
    }
    *pending |= hd_signal_bit(info->si_signo);
    sent.queue[sent.n++] = (struct queued){ to, *info };
}

/* Removes the first pending instance.  Returns false if there is none. */
static bool take_one(hd_tid to, int number, siginfo_t *info)
{
    uint64_t *pending = to == HD_NO_TID ? &sent.pending : &hd.thread[to].signals.pending;
    unsigned i = 0, more = 0;

    while (i < sent.n && (sent.queue[i].to != to || sent.queue[i].info.si_signo != number))
        i++;
    if (i == sent.n)
        return false;
    *info = sent.queue[i].info;
    sent.n--;
    for (; i < sent.n; i++) {
        sent.queue[i] = sent.queue[i + 1];
        more += sent.queue[i].to == to && sent.queue[i].info.si_signo == number;
    }
    if (more == 0)
        *pending &= ~hd_signal_bit(number);
    return true;
}

uint64_t hd_signal_pending(const struct hd_thread *t)
{
    hd_signal_begin();
    return t->signals.pending | sent.pending;
}

bool hd_signal_is_pending(const struct hd_thread *t, uint64_t set)
{
    return (hd_signal_pending(t) & set) != 0;
}

/* Takes the lowest-numbered signal of the set, those for the thread before those for the process,
 * as Linux does.  Returns its number, or 0. */
int hd_signal_take_pending(const struct hd_thread *t, uint64_t set, siginfo_t *info)
{
    hd_signal_begin();
    uint64_t own = t->signals.pending & set, common = sent.pending & set;
    int number = own != 0 ? __builtin_ctzll(own) + 1 : common != 0 ? __builtin_ctzll(common) + 1 : 0;

    if (number != 0)
        take_one(own != 0 ? t->tid : HD_NO_TID, number, info);
    return number;
}

/* Ignoring a signal discards its pending instances. */
void hd_signal_acts(int number, const struct sigaction *act)
{
    siginfo_t gone;

    hd_signal_begin();
    actions[number].epoch = hd.epoch;
    actions[number].act = *act;
    if (!hd_signal_is_ignored(number))
        return;
    while (take_one(HD_NO_TID, number, &gone))
        ;
    for (unsigned i = 0; i < hd.exec->nthreads; i++)
        while (take_one((hd_tid)i, number, &gone))
            ;
}
