/* SPDX-License-Identifier: BSD-2-Clause
 *
 * basic.c - two actors add twice each to a third: C(4,2) = 6 orders of the four messages.  Twice, because main joins the
 * third actor before its end or after it. */
#include <stdlib.h>

#include <heddle/actor.h>
#include <heddle/heddle.h>

#define READER(I, MESSAGE, REQUEST) REQUEST(I, get, int)
#define COUNTER(I, MESSAGE, REQUEST) \
    MESSAGE(I, add, (int, amount), (int, times)) \
    MESSAGE(I, reset)                \
    READER(I, MESSAGE, REQUEST)
HEDDLE_INTERFACE(reader, READER);
HEDDLE_INTERFACE(counter, COUNTER);
HEDDLE_NARROW(counter, reader, READER);

struct adder {
    int sum;
};
HEDDLE_IMPLEMENT(counter, COUNTER, adder);

static void adder_add(struct adder *self, int amount, int times)
{
    self->sum += amount * times;
}

static void adder_reset(struct adder *self)
{
    self->sum = 0;
}

static void adder_get(struct adder *self, counter_get_request from)
{
    counter_get_reply(from, self->sum);
}

#define CLIENT(I, MESSAGE, REQUEST) MESSAGE(I, go, (counter, c), (int, n))
HEDDLE_INTERFACE(client, CLIENT);

struct user {
    int unused;
};
HEDDLE_IMPLEMENT(client, CLIENT, user);

static void user_go(struct user *self, counter c, int n)
{
    (void)self;
    counter_add(c, n, 1);
    counter_add(c, n, 2);
}

int main(void)
{
    static struct adder state = { 5 };
    static struct user a, b;
    counter c = adder_create(&state);
    int sum = 0;

    counter_reset(c);
    client_go(user_create(&a), c, 1);
    client_go(user_create(&b), c, 10);
    heddle_quiesce();
    if (reader_get(counter_as_reader(c), &sum) != 0 || sum != 33)
        abort();
    heddle_stop(c.ref);
    if (heddle_join(c.ref) != HEDDLE_STOPPED || heddle_join(c.ref) != HEDDLE_STOPPED)
        abort();
    if (counter_get(c, &sum) == 0 || counter_try_reset(c) == 0)
        abort();
    heddle_actors_stop();
    return 0;
}
