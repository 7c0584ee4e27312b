/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle.c - what messages cost with <heddle/actor.h>; caf.cpp does the same with libcaf.
 *   pingpong N      two actors send one message back and forth, N messages in all: messages per second, and per second of
 *                   processor time, which other programs do not use up
 *   fanin N         8 actors send N messages in all to one: the same
 *   roundtrip N     N times one actor sends a message and gets it back: nanoseconds, the median and the 99th percentile
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
    MESSAGE(I, there, (heddle_ref, from))          \
    MESSAGE(I, back, (heddle_ref, from))           \
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

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double *trips, started;
static long ntrips, wanted_trips;

static void one_there(struct one *self, heddle_ref from)
{
    self->taken++;
    player_back(player_of(from), heddle_self());
}

static void one_back(struct one *self, heddle_ref from)
{
    double now = seconds(CLOCK_MONOTONIC);

    self->taken++;
    if (started != 0)
        trips[ntrips++] = now - started;
    started = seconds(CLOCK_MONOTONIC);
    if (ntrips < wanted_trips)
        player_there(player_of(from), heddle_self());
}

static int by_length(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void round_trips(struct one *state, long n)
{
    trips = calloc((size_t)n, sizeof *trips);
    wanted_trips = n;
    player_back(one_create(&state[0]), one_create(&state[1]).ref);
    heddle_quiesce();
    qsort(trips, (size_t)n, sizeof *trips, by_length);
    printf("%.0f %.0f\n", trips[n / 2] * 1e9, trips[n - n / 100 - 1] * 1e9);
    free(trips);
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
    if (strcmp(what, "roundtrip") == 0) {
        round_trips(states, n);
        heddle_actors_stop();
        return 0;
    }
    double begin = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);

    if (strcmp(what, "pingpong") == 0) {
        player_ball(one_create(&states[0]), one_create(&states[1]).ref, n - 1);
    } else {
        player to = one_create(&states[8]);

        for (int i = 0; i < 8; i++)
            player_burst(one_create(&states[i]), to.ref, n / 8);
    }
    heddle_quiesce();
    printf("%.0f %.0f\n", (double)n / (seconds(CLOCK_MONOTONIC) - begin), (double)n / (seconds(CLOCK_PROCESS_CPUTIME_ID) - used));
    heddle_actors_stop();
    return 0;
}
