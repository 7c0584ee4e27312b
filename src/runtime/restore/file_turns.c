/* SPDX-License-Identifier: BSD-2-Clause
 *
 * file_turns.c - serialises the workers of a program that changes files. */

#include "runtime/restore/file_turns.h"

#include <sys/syscall.h>
#include <time.h>

#include "base/check.h"
#include "base/sys.h"
#include "runtime/core/execution.h"
#include "runtime/core/ledger.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

static bool has_turn;

static bool is_alone(void)
{
    return hd.cfg->nworkers <= 1;
}

static void pause_a_little(void)
{
    static const struct timespec t = { 0, 100000 };

    hd.wire->heartbeat++; /* tells the conductor that this worker does not hang */
    hd_sys(SYS_nanosleep, (long)&t, 0, 0);
}

/* T1: true if another worker is in an execution that began without the turn. */
static bool others_are_in_one(void)
{
    const struct hd_common *c = hd.wire->common;

    if (__atomic_load_n(&c->other_target, __ATOMIC_SEQ_CST) != 0)
        return true;
    for (uint32_t i = 0; i < c->nworkers; i++)
        if (i != hd.cfg->worker && __atomic_load_n(&c->tally[i].runs_free, __ATOMIC_SEQ_CST) != 0)
            return true;
    return false;
}

static bool try_turn(struct hd_common *c)
{
    uint32_t nobody = 0;

    has_turn = __atomic_compare_exchange_n(&c->files_turn, &nobody, hd.cfg->worker + 1, false, __ATOMIC_SEQ_CST,
                                           __ATOMIC_SEQ_CST);
    return has_turn;
}

static bool take_turn(struct hd_common *c)
{
    while (!try_turn(c)) {
        if (hd.wire->stop)
            return false;
        pause_a_little();
    }
    while (others_are_in_one()) {
        if (hd.wire->stop)
            return false;
        pause_a_little();
    }
    return true;
}

bool hd_turn_begin(void)
{
    struct hd_common *c = hd.wire->common;

    if (has_turn || (is_alone() && c->files_used == 0))
        return true;
    uint32_t *free = &c->tally[hd.cfg->worker].runs_free;

    __atomic_store_n(free, 1, __ATOMIC_SEQ_CST);
    if (HD_LIKELY(__atomic_load_n(&c->files_used, __ATOMIC_SEQ_CST) == 0))
        return true;
    __atomic_store_n(free, 0, __ATOMIC_SEQ_CST);
    return take_turn(c);
}

void hd_turn_end(void)
{
    struct hd_common *c = hd.wire->common;

    has_turn = false;
    if (is_alone() && c->files_used == 0)
        return;
    __atomic_store_n(&c->tally[hd.cfg->worker].runs_free, 0, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&c->files_turn, __ATOMIC_RELAXED) == hd.cfg->worker + 1)
        __atomic_store_n(&c->files_turn, 0, __ATOMIC_SEQ_CST);
}

void hd_turn_for_files(void)
{
    struct hd_common *c = hd.wire->common;

    if (has_turn || hd_config_runs_once(hd.cfg))
        return;
    __atomic_store_n(&c->files_used, 1, __ATOMIC_SEQ_CST);
    if (!is_alone())
        hd_mentioned("changes of files: one worker at a time runs executions (-j)");
    else if (__atomic_load_n(&c->other_target, __ATOMIC_SEQ_CST) == 0 && try_turn(c))
        return; /* the turn is not needed: no other worker could have seen a difference */
    hd_execution_begin_again();
}
