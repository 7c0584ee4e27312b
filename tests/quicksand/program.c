/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.c - two threads with random scripts of plain accesses, an atomic and locks.  The argument
 * chooses the scripts.  The exit code tells the final state.  Every access has its own place in the code.
 * `run` has the same generator. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 2, OPS = 5, LOCKS = 2 };
enum kind { NOTHING, READ, WRITE, ADD, LOCK, UNLOCK };

static struct {
    enum kind kind;
    int arg, value;
} script[THREADS][OPS];
static volatile int x[2];
static int counter, result[THREADS];
static pthread_mutex_t lock[LOCKS] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static uint64_t state;

static int draw(int n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)n);
}

/* What is locked is given back by an operation of the script, or never. */
static void generate(int t)
{
    int held[LOCKS] = { 0 };

    for (int k = 0; k < OPS; k++) {
        static const enum kind kinds[] = { READ, READ, WRITE, WRITE, WRITE, ADD, LOCK, UNLOCK };
        int kind = (int)kinds[draw(8)], arg = draw(2), value = draw(4);

        if ((kind == LOCK && held[arg]) || (kind == UNLOCK && !held[arg]))
            kind = kind == LOCK ? UNLOCK : READ;
        if (kind == LOCK || kind == UNLOCK)
            held[arg] = kind == LOCK;
        script[t][k].kind = (enum kind)kind;
        script[t][k].arg = arg;
        script[t][k].value = value;
    }
}

#define STEP(t, k)                                                       \
    switch (script[t][k].kind) {                                         \
    case READ:                                                           \
        r = x[script[t][k].arg];                                         \
        break;                                                           \
    case WRITE:                                                          \
        x[script[t][k].arg] = (r + script[t][k].value) & 3;              \
        break;                                                           \
    case ADD:                                                            \
        r = __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST) & 3;       \
        break;                                                           \
    case LOCK:                                                           \
        pthread_mutex_lock(&lock[script[t][k].arg]);                     \
        break;                                                           \
    case UNLOCK:                                                         \
        pthread_mutex_unlock(&lock[script[t][k].arg]);                   \
        break;                                                           \
    default:                                                             \
        break;                                                           \
    }
#define ALL(t) STEP(t, 0) STEP(t, 1) STEP(t, 2) STEP(t, 3) STEP(t, 4)

static void *first(void *arg)
{
    int r = 0;

    ALL(0)
    result[0] = r;
    return arg;
}

static void *second(void *arg)
{
    int r = 0;

    ALL(1)
    result[1] = r;
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    state = (uint64_t)atoi(argc > 1 ? argv[1] : "1") * 977;
    generate(0);
    generate(1);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    exit(1 + (x[0] | x[1] << 2 | result[0] << 4 | result[1] << 6) % 255);
}
