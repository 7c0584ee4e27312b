/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle.c - what messages cost with <heddle/actor.h>; caf.cpp does the same with libcaf.
 *   pingpong N      two actors send one message back and forth, N messages in all: messages per second
 *   fanin N         8 actors send N messages in all to one: messages per second
 *   actors N        N idle actors: bytes of resident memory for each
 * WORKERS (environment) is the number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heddle/actor.h>

#define PLAYER(I, MESSAGE, REQUEST)                \
    MESSAGE(I, ball, (heddle_ref, from), (long, left)) \
    MESSAGE(I, burst, (heddle_ref, to), (long, n)) \
    MESSAGE(I, take)
HEDDLE_INTERFACE(player, PLAYER);

struct one {
    long taken;
};
HEDDLE_IMPLEMENT(player, PLAYER, one);

static void one_ball(struct one *self, heddle_ref from, long left)
{
    self->taken++;
    if (left > 0)
        player_ball(player_of(from), heddle_self(), left - 1);
}

/* In portions, so that no mailbox holds all messages at once. */
static void one_burst(struct one *self, heddle_ref to, long n)
{
    for (long i = 0; i < 100 && i < n; i++)
        player_take(player_of(to));
    if (n > 100)
        player_burst(player_of(heddle_self()), to, n - 100);
    self->taken++;
}

static void one_take(struct one *self)
{
    self->taken++;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static long resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f == NULL || fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f != NULL)
        fclose(f);
    return pages * 4096;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "pingpong", *workers = getenv("WORKERS");
    long n = argc > 2 ? atol(argv[2]) : 1000000;
    heddle_actors_options o = { .workers = workers != NULL ? (unsigned)atoi(workers) : 1 };
    static struct one states[9];

    heddle_actors_start(&o);
    if (strcmp(what, "actors") == 0) {
        struct one *many = calloc((size_t)n, sizeof *many);
        long before = resident();

        for (long i = 0; i < n; i++)
            one_create(&many[i]);
        heddle_quiesce();
        printf("%.0f\n", (double)(resident() - before) / (double)n);
        heddle_actors_stop();
        free(many);
        return 0;
    }
    double begin = seconds();

    if (strcmp(what, "pingpong") == 0) {
        player_ball(one_create(&states[0]), one_create(&states[1]).ref, n - 1);
    } else {
        player to = one_create(&states[8]);

        for (int i = 0; i < 8; i++)
            player_burst(one_create(&states[i]), to.ref, n / 8);
    }
    heddle_quiesce();
    printf("%.0f\n", (double)n / (seconds() - begin));
    heddle_actors_stop();
    return 0;
}
