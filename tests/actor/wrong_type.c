/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wrong_type.c - what the compiler must refuse, one mistake for each value of WRONG; it accepts 0. */
#include <heddle/actor.h>

#define READER(I, MESSAGE, REQUEST) REQUEST(I, get, int)
#define COUNTER(I, MESSAGE, REQUEST) MESSAGE(I, add, (int *, amount)) READER(I, MESSAGE, REQUEST)
HEDDLE_INTERFACE(reader, READER);
HEDDLE_INTERFACE(counter, COUNTER);
HEDDLE_NARROW(counter, reader, READER);
#if WRONG == 1 /* the reader has no list that contains the counter's */
HEDDLE_NARROW(reader, counter, COUNTER);
#endif

struct adder {
    int sum;
};
HEDDLE_IMPLEMENT(counter, COUNTER, adder);
#if WRONG != 2 /* an action is missing */
static void adder_add(struct adder *self, int *amount) { self->sum += *amount; }
#endif
#if WRONG == 3 /* an action of another type */
static void adder_get(struct adder *self, int from) { self->sum += from; }
#else
static void adder_get(struct adder *self, counter_get_request from) { counter_get_reply(from, self->sum); }
#endif

int main(void)
{
    static struct adder state;
    counter c = adder_create(&state);
    reader r = counter_as_reader(c);
    int n = 1;

    counter_add(c, &n);
#if WRONG == 4 /* a message that the narrow interface hides */
    reader_add(r, &n);
#elif WRONG == 5 /* the proxy of another interface */
    counter_add(r, &n);
#elif WRONG == 6 /* a parameter of another type */
    counter_add(c, n);
#elif WRONG == 7 /* one parameter too few */
    counter_add(c);
#endif
    return reader_get(r, &n);
}
