/* SPDX-License-Identifier: BSD-2-Clause
 *
 * peers.c - 100 actors, 27 of which pass news on, until two of them change two counters in different orders. */
#include <heddle/actor.h>
#include <heddle/heddle.h>

enum { PEERS = 100, HOPS = 40 };

#define PEER(I, MESSAGE, REQUEST)                \
    MESSAGE(I, news, (int, hops), (int, doubles)) \
    MESSAGE(I, add)                              \
    MESSAGE(I, twice)
HEDDLE_INTERFACE(peer, PEER);

struct one {
    int id, value;
};
HEDDLE_IMPLEMENT(peer, PEER, one);

static peer all[PEERS];
static struct one state[PEERS];

static void one_news(struct one *self, int hops, int doubles)
{
    if (hops > 0)
        peer_news(all[(self->id * 3 + 1) % PEERS], hops - 1, doubles);
    for (int i = 0; i < 2 && hops == 0; i++)
        if (doubles)
            peer_twice(all[i]);
        else
            peer_add(all[i]);
}

static void one_add(struct one *self)
{
    self->value++;
}

static void one_twice(struct one *self)
{
    self->value *= 2;
}

int main(void)
{
    for (int i = 0; i < PEERS; i++) {
        state[i].id = i;
        all[i] = one_create(&state[i]);
    }
    peer_news(all[2], HOPS, 0);
    peer_news(all[50], HOPS, 1);
    heddle_quiesce();
    heddle_assert(state[0].value == state[1].value);
    return 0;
}
