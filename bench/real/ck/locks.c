/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locks.c - spin locks, read-write locks, sequence locks and barriers of Concurrency Kit.
 *
 * What a lock guards is plain memory: two words that are always equal.  Scripts: w adds one
 * under the lock and returns what was there, W tries to, r reads under the lock; b is a
 * barrier.  A lock that does not exclude gives results that no order explains, and one
 * that excludes without ordering memory is a data race. */
#include <ck_barrier.h>
#include <ck_brlock.h>
#include <ck_bytelock.h>
#include <ck_pflock.h>
#include <ck_rwlock.h>
#include <ck_sequence.h>
#include <ck_spinlock.h>
#include <ck_swlock.h>
#include <ck_tflock.h>

#include "../structure.h"

static long guarded[2];

static long look(void)
{
    heddle_assert(guarded[0] == guarded[1]);
    return guarded[0];
}

static long add_one(void)
{
    long was = look();

    guarded[0] = was + 1;
    guarded[1] = was + 1;
    return was;
}

static bool counter_twin(struct lin_state *s, const struct lin_op *op)
{
    if (op->result == LIN_BUSY)
        return op->code == 'W';
    return op->result == (op->code == 'r' ? s->item[0] : s->item[0]++);
}

/* ---- spin locks ---------------------------------------------------------------------- */

static ck_spinlock_cas_t cas_lock = CK_SPINLOCK_CAS_INITIALIZER;
static ck_spinlock_dec_t dec_lock = CK_SPINLOCK_DEC_INITIALIZER;
static ck_spinlock_fas_t fas_lock = CK_SPINLOCK_FAS_INITIALIZER;
static ck_spinlock_ticket_t ticket_lock = CK_SPINLOCK_TICKET_INITIALIZER;
static ck_spinlock_mcs_t mcs_lock = CK_SPINLOCK_MCS_INITIALIZER;
static ck_spinlock_clh_t *clh_lock, clh_node[LIN_THREADS + 1], *clh_mine[LIN_THREADS];
static ck_spinlock_anderson_t anderson_lock;
static ck_spinlock_anderson_thread_t anderson_slot[4];

static void nothing_to_set_up(void)
{
}

#define SPIN(kind)                                              \
    static long spin_##kind(int t, char code, long arg)         \
    {                                                           \
        long was;                                               \
                                                                \
        (void)t;                                                \
        (void)arg;                                              \
        if (code == 'W') {                                      \
            if (!ck_spinlock_##kind##_trylock(&kind##_lock))    \
                return LIN_BUSY;                                \
        } else {                                                \
            ck_spinlock_##kind##_lock(&kind##_lock);            \
        }                                                       \
        was = code == 'r' ? look() : add_one();                 \
        ck_spinlock_##kind##_unlock(&kind##_lock);              \
        return was;                                             \
    }
SPIN(cas)
SPIN(fas)
SPIN(dec)
#ifndef CK_F_SPINLOCK_TICKET_TRYLOCK /* the variant for weak memory has none */
#define ck_spinlock_ticket_trylock(lock) (ck_spinlock_ticket_lock(lock), true)
#endif
SPIN(ticket)

static long spin_mcs(int t, char code, long arg)
{
    ck_spinlock_mcs_context_t node;
    long was;

    (void)t;
    (void)arg;
    if (code == 'W') {
        if (!ck_spinlock_mcs_trylock(&mcs_lock, &node))
            return LIN_BUSY;
    } else {
        ck_spinlock_mcs_lock(&mcs_lock, &node);
    }
    was = add_one();
    ck_spinlock_mcs_unlock(&mcs_lock, &node);
    return was;
}

static void clh_set_up(void)
{
    ck_spinlock_clh_init(&clh_lock, &clh_node[LIN_THREADS]);
    for (int t = 0; t < LIN_THREADS; t++)
        clh_mine[t] = &clh_node[t];
}

static long spin_clh(int t, char code, long arg)
{
    long was;

    (void)code;
    (void)arg;
    ck_spinlock_clh_lock(&clh_lock, clh_mine[t]);
    was = add_one();
    ck_spinlock_clh_unlock(&clh_mine[t]);
    return was;
}

static void anderson_set_up(void)
{
    ck_spinlock_anderson_init(&anderson_lock, anderson_slot, 4);
}

static long spin_anderson(int t, char code, long arg)
{
    ck_spinlock_anderson_thread_t *slot;
    long was;

    (void)t;
    (void)code;
    (void)arg;
    ck_spinlock_anderson_lock(&anderson_lock, &slot);
    was = add_one();
    ck_spinlock_anderson_unlock(&anderson_lock, slot);
    return was;
}

/* ---- locks with readers -------------------------------------------------------------------- */

static ck_rwlock_t rw_lock = CK_RWLOCK_INITIALIZER;
static ck_pflock_t pf_lock = CK_PFLOCK_INITIALIZER;
static ck_tflock_ticket_t tf_lock = CK_TFLOCK_TICKET_INITIALIZER;
static ck_swlock_t sw_lock = CK_SWLOCK_INITIALIZER;
static ck_brlock_t br_lock = CK_BRLOCK_INITIALIZER;
static ck_brlock_reader_t br_reader[LIN_THREADS];
static ck_bytelock_t byte_lock = CK_BYTELOCK_INITIALIZER;

#define READERS(kind, rd_lock, rd_unlock, wr_lock, wr_unlock) \
    static long kind(int t, char code, long arg)              \
    {                                                         \
        long was;                                             \
                                                              \
        (void)t;                                              \
        (void)arg;                                            \
        if (code == 'r') {                                    \
            rd_lock;                                          \
            was = look();                                     \
            rd_unlock;                                        \
        } else {                                              \
            wr_lock;                                          \
            was = add_one();                                  \
            wr_unlock;                                        \
        }                                                     \
        return was;                                           \
    }

READERS(rwlock, ck_rwlock_read_lock(&rw_lock), ck_rwlock_read_unlock(&rw_lock),
        ck_rwlock_write_lock(&rw_lock), ck_rwlock_write_unlock(&rw_lock))
READERS(pflock, ck_pflock_read_lock(&pf_lock), ck_pflock_read_unlock(&pf_lock),
        ck_pflock_write_lock(&pf_lock), ck_pflock_write_unlock(&pf_lock))
READERS(tflock, ck_tflock_ticket_read_lock(&tf_lock), ck_tflock_ticket_read_unlock(&tf_lock),
        ck_tflock_ticket_write_lock(&tf_lock), ck_tflock_ticket_write_unlock(&tf_lock))
READERS(swlock, ck_swlock_read_lock(&sw_lock), ck_swlock_read_unlock(&sw_lock),
        ck_swlock_write_lock(&sw_lock), ck_swlock_write_unlock(&sw_lock))
READERS(swlatch, ck_swlock_read_lock(&sw_lock), ck_swlock_read_unlock(&sw_lock),
        ck_swlock_write_latch(&sw_lock), ck_swlock_write_unlatch(&sw_lock))
READERS(brlock, ck_brlock_read_lock(&br_lock, &br_reader[t]),
        ck_brlock_read_unlock(&br_reader[t]), ck_brlock_write_lock(&br_lock),
        ck_brlock_write_unlock(&br_lock))
READERS(bytelock, ck_bytelock_read_lock(&byte_lock, (unsigned)t + 1),
        ck_bytelock_read_unlock(&byte_lock, (unsigned)t + 1),
        ck_bytelock_write_lock(&byte_lock, (unsigned)t + 1),
        ck_bytelock_write_unlock(&byte_lock))
/* For threads that have no slot of their own. */
READERS(bytelock_unslotted, ck_bytelock_read_lock(&byte_lock, CK_BYTELOCK_UNSLOTTED),
        ck_bytelock_read_unlock(&byte_lock, CK_BYTELOCK_UNSLOTTED),
        ck_bytelock_write_lock(&byte_lock, CK_BYTELOCK_UNSLOTTED),
        ck_bytelock_write_unlock(&byte_lock))

static void brlock_set_up(void)
{
    for (int t = 0; t < lin_threads; t++)
        ck_brlock_read_register(&br_lock, &br_reader[t]);
}

/* ---- a sequence lock: its readers look at what is being written ------------------------------ */

static ck_sequence_t seq_lock = CK_SEQUENCE_INITIALIZER;
static unsigned watched[2];

static long sequence(int t, char code, long arg)
{
    unsigned version, a = 0, b = 0;

    (void)t;
    (void)arg;
    if (code == 'r') {
        CK_SEQUENCE_READ(&seq_lock, &version) {
            a = ck_pr_load_uint(&watched[0]);
            b = ck_pr_load_uint(&watched[1]);
        }
        heddle_assert(a == b);
        return a;
    }
    ck_sequence_write_begin(&seq_lock);
    ck_pr_store_uint(&watched[0], watched[0] + 1);
    ck_pr_store_uint(&watched[1], watched[1] + 1);
    ck_sequence_write_end(&seq_lock);
    return watched[0] - 1;
}

/* ---- barriers ------------------------------------------------------------------------------------ */

/* A thread that has passed sees what every thread did before, in plain memory. */
static bool arrived[LIN_OPS][LIN_THREADS];
static int passed[LIN_THREADS];

static bool barrier_twin(struct lin_state *s, const struct lin_op *op)
{
    (void)s;
    return op->result == LIN_DONE;
}

#define BARRIER(kind, wait)                                 \
    static long barrier_##kind(int t, char code, long arg)  \
    {                                                       \
        int round = passed[t]++;                            \
                                                            \
        (void)code;                                         \
        (void)arg;                                          \
        arrived[round][t] = true;                           \
        wait;                                               \
        for (int u = 0; u < lin_threads; u++)               \
            if (!arrived[round][u])                         \
                return LIN_REFUSED;                         \
        return LIN_DONE;                                    \
    }

static ck_barrier_centralized_t centralized = CK_BARRIER_CENTRALIZED_INITIALIZER;
static ck_barrier_centralized_state_t centralized_state[LIN_THREADS];
static ck_barrier_combining_t combining;
static ck_barrier_combining_group_t combining_root, combining_group[LIN_THREADS];
static ck_barrier_combining_state_t combining_state[LIN_THREADS] = {
    CK_BARRIER_COMBINING_STATE_INITIALIZER, CK_BARRIER_COMBINING_STATE_INITIALIZER,
    CK_BARRIER_COMBINING_STATE_INITIALIZER
};
static ck_barrier_dissemination_t dissemination[LIN_THREADS];
static ck_barrier_dissemination_flag_t *dissemination_flag[LIN_THREADS];
static ck_barrier_dissemination_state_t dissemination_state[LIN_THREADS];
static ck_barrier_tournament_t tournament;
static ck_barrier_tournament_round_t *tournament_round[LIN_THREADS];
static ck_barrier_tournament_state_t tournament_state[LIN_THREADS];
static ck_barrier_mcs_t mcs[LIN_THREADS];
static ck_barrier_mcs_state_t mcs_state[LIN_THREADS];

BARRIER(centralized,
        ck_barrier_centralized(&centralized, &centralized_state[t], (unsigned)lin_threads))
BARRIER(combining, ck_barrier_combining(&combining, &combining_group[t], &combining_state[t]))
BARRIER(dissemination, ck_barrier_dissemination(dissemination, &dissemination_state[t]))
BARRIER(tournament, ck_barrier_tournament(&tournament, &tournament_state[t]))
BARRIER(mcs, ck_barrier_mcs(mcs, &mcs_state[t]))

static void combining_set_up(void)
{
    ck_barrier_combining_init(&combining, &combining_root);
    for (int t = 0; t < lin_threads; t++)
        ck_barrier_combining_group_init(&combining, &combining_group[t], 1);
}

static void dissemination_set_up(void)
{
    unsigned size = ck_barrier_dissemination_size((unsigned)lin_threads);

    for (int t = 0; t < lin_threads; t++)
        dissemination_flag[t] = calloc(size, sizeof *dissemination_flag[t]);
    ck_barrier_dissemination_init(dissemination, dissemination_flag, (unsigned)lin_threads);
    for (int t = 0; t < lin_threads; t++)
        ck_barrier_dissemination_subscribe(dissemination, &dissemination_state[t]);
}

static void tournament_set_up(void)
{
    unsigned size = ck_barrier_tournament_size((unsigned)lin_threads);

    for (int t = 0; t < lin_threads; t++)
        tournament_round[t] = calloc(size, sizeof *tournament_round[t]);
    ck_barrier_tournament_init(&tournament, tournament_round, (unsigned)lin_threads);
    for (int t = 0; t < lin_threads; t++)
        ck_barrier_tournament_subscribe(&tournament, &tournament_state[t]);
}

static void mcs_set_up(void)
{
    ck_barrier_mcs_init(mcs, (unsigned)lin_threads);
    for (int t = 0; t < lin_threads; t++)
        ck_barrier_mcs_subscribe(mcs, &mcs_state[t]);
}

#define LOCK(text, prepare, fn) \
    { .name = text, .twin = counter_twin, .set_up = prepare, .run = fn }
#define MEETING(text, prepare, fn) \
    { .name = text, .twin = barrier_twin, .set_up = prepare, .run = fn }

static const struct structure all[] = {
    LOCK("spin-cas", nothing_to_set_up, spin_cas),
    LOCK("spin-dec", nothing_to_set_up, spin_dec),
    LOCK("spin-fas", nothing_to_set_up, spin_fas),
    LOCK("spin-ticket", nothing_to_set_up, spin_ticket),
    LOCK("spin-mcs", nothing_to_set_up, spin_mcs),
    LOCK("spin-clh", clh_set_up, spin_clh),
    LOCK("spin-anderson", anderson_set_up, spin_anderson),
    LOCK("rwlock", nothing_to_set_up, rwlock),
    LOCK("pflock", nothing_to_set_up, pflock),
    LOCK("tflock", nothing_to_set_up, tflock),
    LOCK("swlock", nothing_to_set_up, swlock),
    LOCK("swlock-latch", nothing_to_set_up, swlatch),
    LOCK("brlock", brlock_set_up, brlock),
    LOCK("bytelock", nothing_to_set_up, bytelock),
    LOCK("bytelock-unslotted", nothing_to_set_up, bytelock_unslotted),
    LOCK("sequence", nothing_to_set_up, sequence),
    MEETING("barrier-centralized", nothing_to_set_up, barrier_centralized),
    MEETING("barrier-combining", combining_set_up, barrier_combining),
    MEETING("barrier-dissemination", dissemination_set_up, barrier_dissemination),
    MEETING("barrier-tournament", tournament_set_up, barrier_tournament),
    MEETING("barrier-mcs", mcs_set_up, barrier_mcs),
};

TEST_MAIN(all)
