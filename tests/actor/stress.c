/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stress.c - 24 actors send each other random messages, N in all; some mailboxes are bounded, some actors die and are replaced, some
 * ask inside of an action, timers expire and are cancelled.  In the end every message was taken or dropped. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <heddle/actor.h>

enum { ACTORS = 24 };

#define PEER(I, MESSAGE, REQUEST)      \
    MESSAGE(I, token, (long, left))    \
    MESSAGE(I, noise, (int, value))    \
    REQUEST(I, ask, int, (int, value))
HEDDLE_INTERFACE(peer, PEER);

struct one {
    int number;
    long taken;
    heddle_timer timer;
};
static struct one states[ACTORS];
static peer peers[ACTORS];
static _Atomic long taken, refused, failed;
static void one_end(void *self, int reason);
HEDDLE_IMPLEMENT(peer, PEER, one, .end = one_end);

/* Only the last four are replaced, by others of the same state.  Nobody asks them, and nobody is told: the references to
 * them in `peers` stay those of the first ones, so messages go astray. */
static void one_end(void *self, int reason)
{
    (void)reason;
    ((struct one *)self)->taken = 0;
    atomic_fetch_add(&failed, 1);
}

static void one_token(struct one *self, long left)
{
    int next = (int)heddle_random(ACTORS);

    self->taken++;
    atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
    if (left <= 0)
        return;
    if (peer_try_noise(peers[next], 1) != 0)
        atomic_fetch_add_explicit(&refused, 1, memory_order_relaxed);
    if (left % 97 == 0 && self->number < ACTORS / 2) {
        int value = 0; /* only ones with a higher number, which themselves ask nobody: no cycle */

        peer_ask(peers[ACTORS / 2 + (int)heddle_random(ACTORS / 2)], &value, 3);
    }
    if (left % 131 == 0) {
        heddle_cancel(self->timer);
        self->timer = peer_noise_after(peers[next], 1000 * heddle_random(100), 2);
    }
    if (left % 1009 == 0 && self->number >= ACTORS - 4)
        heddle_fail(1);
    peer_token(peers[(self->number + 1) % (ACTORS - 4)], left - 2);
}

static void one_noise(struct one *self, int value)
{
    self->taken += value;
    atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed);
}

static void one_ask(struct one *self, peer_ask_request from, int value)
{
    peer_ask_reply(from, value + self->number);
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 100000;
    heddle_actors_options o = { .workers = argc > 2 ? (unsigned)atoi(argv[2]) : 2, .seed = 7 };

    heddle_actors_start(&o);
    for (int i = 0; i < ACTORS; i++) {
        heddle_actor_options of = { .capacity = i >= ACTORS - 4 ? 8 : 0 };

        states[i].number = i;
        peers[i] = one_create_with(&states[i], &of);
    }
    for (int i = 0; i < 8; i++)
        peer_token(peers[i], n / 8);
    heddle_stop(peers[ACTORS - 1].ref); /* while others send to it */
    heddle_kill(peers[ACTORS - 2].ref);
    heddle_quiesce();
    long all = atomic_load(&taken);

    printf("%ld taken, %llu dropped, %ld refused\n", all, (unsigned long long)heddle_dropped(), atomic_load(&refused));
    if (all < n / 2 || heddle_join(peers[ACTORS - 1].ref) != HEDDLE_STOPPED ||
        heddle_join(peers[ACTORS - 2].ref) != HEDDLE_KILLED)
        abort();
    heddle_actors_stop();
    return 0;
}
