/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hello_actor.c - an actor that greets: docs/actors.md. */
#include <stdio.h>

#include <heddle/actor.h>

#define GREETER(I, MESSAGE, REQUEST) \
    MESSAGE(I, greet, (const char *, name)) \
    REQUEST(I, count, int)
HEDDLE_INTERFACE(greeter, GREETER);

struct friendly {
    int greeted;
};
HEDDLE_IMPLEMENT(greeter, GREETER, friendly);

static void friendly_greet(struct friendly *self, const char *name)
{
    printf("Hello, %s!\n", name);
    self->greeted++;
}

static void friendly_count(struct friendly *self, greeter_count_request from)
{
    greeter_count_reply(from, self->greeted);
}

int main(void)
{
    struct friendly state = { 0 };
    greeter g = friendly_create(&state);
    int n = 0;

    greeter_greet(g, "world");
    greeter_count(g, &n);
    printf("%d greeted\n", n);
    heddle_actors_stop();
    return 0;
}
