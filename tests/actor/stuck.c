/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stuck.c - two actors ask each other inside of their actions: a deadlock in some orders.  With an argument they send messages
 * instead: idle actors are none.  Then the only two orders are those of the messages of main and of the first actor to the second. */
#include <heddle/actor.h>

#define PEER(I, MESSAGE, REQUEST)        \
    MESSAGE(I, begin, (heddle_ref, peer)) \
    MESSAGE(I, tell, (int, id))           \
    REQUEST(I, next_id, int)
HEDDLE_INTERFACE(peer, PEER);

struct one {
    int id;
};
static int asks = 1;
HEDDLE_IMPLEMENT(peer, PEER, one);

static void one_begin(struct one *self, heddle_ref other)
{
    if (!asks)
        peer_tell(peer_of(other), self->id);
    else
        peer_next_id(peer_of(other), &self->id);
}

static void one_tell(struct one *self, int id)
{
    self->id = id;
}

static void one_next_id(struct one *self, peer_next_id_request from)
{
    peer_next_id_reply(from, self->id + 1);
}

int main(int argc, char **argv)
{
    static struct one a, b;
    (void)argv;
    asks = argc < 2;
    peer x = one_create(&a), y = one_create(&b);

    peer_begin(x, y.ref);
    peer_begin(y, x.ref);
    heddle_quiesce();
    return 0;
}
