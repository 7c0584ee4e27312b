/* SPDX-License-Identifier: BSD-2-Clause
 *
 * many.c - a ring of actors, 1,024 unless the argument says otherwise, and two tokens that go round.  The second one enters at the
 * middle, before or after the first one has come there: two orders of messages. */
#include <assert.h>
#include <heddle/actor.h>
#include <stdlib.h>

#define RING(I, MESSAGE, REQUEST) \
    MESSAGE(I, before, (heddle_ref, next)) \
    MESSAGE(I, pass, (int, left), (int, token))
HEDDLE_INTERFACE(ring, RING);

struct member {
    heddle_ref next;
};
HEDDLE_IMPLEMENT(ring, RING, member);

static int arrived[2];

static void member_before(struct member *self, heddle_ref next)
{
    self->next = next;
}

static void member_pass(struct member *self, int left, int token)
{
    if (left == 0)
        arrived[token]++;
    else
        ring_pass(ring_of(self->next), left - 1, token);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    ring *all = malloc((size_t)n * sizeof *all);
    struct member *state = calloc((size_t)n, sizeof *state);

    for (int i = 0; i < n; i++)
        all[i] = member_create(&state[i]);
    for (int i = 0; i < n; i++)
        ring_before(all[i], all[(i + 1) % n].ref);
    ring_pass(all[0], n, 0);
    ring_pass(all[n / 2], n, 1);
    heddle_quiesce();
    assert(arrived[0] == 1 && arrived[1] == 1);
    heddle_actors_stop();
    free(state);
    free(all);
    return 0;
}
