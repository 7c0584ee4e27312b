/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random.c - a small random program, drawn from a seed, whose exit code tells what has
 * happened in it: the final state, and what an invariant has seen on the way.  So the
 * set of exit codes that a search reports is the set of behaviours that it has seen, and
 * all searches that claim to be complete must report the same set (see run).
 *
 *     random FAMILY SEED
 *
 * A family is a word of letters for what occurs in it:
 *   w writes   l locked sections   a atomic sections   c choices   i invariant
 *   s assumptions   m allocations   t attempts to lock   k waits on a condition
 *   p sections with plain variables, static, on the heap and on main's stack, of two mutexes
 *   f sections that free a block, make another one or use it   o sections in which libc works */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2, OPS = 3, CELLS = 2 };

static unsigned char program[THREADS][OPS];
static unsigned operand[THREADS][OPS];
static int cell[CELLS];
static unsigned result[THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int sum, signalled;

enum { PLAIN = 4 };
static pthread_mutex_t guard[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static int *plain[PLAIN]; /* of guard[i % 2] */
static int fixed[3];
static int *block;        /* of guard[0]; so is text */
static char text[12] = "0";

/* What the invariant has seen: kept where no search looks. */
static unsigned history, last = ~0u;

HEDDLE_TRUSTED static void remember(unsigned now)
{
    if (now != last)
        history = history * 31 + now + 1;
    last = now;
}

/* Reads the second cell only sometimes. */
static int look(void *unused)
{
    unsigned now = (unsigned)__atomic_load_n(&cell[0], __ATOMIC_RELAXED);

    (void)unused;
    if (now % 2 == 1)
        now = now * 8 + (unsigned)__atomic_load_n(&cell[1], __ATOMIC_RELAXED);
    remember(now);
    return 1;
}

static void add(unsigned me, unsigned what)
{
    result[me] = result[me] * 7 + what;
}

static void wait_for_signal(unsigned me)
{
    pthread_mutex_lock(&lock);
    if (!signalled) {
        pthread_cond_wait(&cond, &lock);
        add(me, signalled ? 1 : 2);
    }
    signalled = 0;
    pthread_mutex_unlock(&lock);
}

static void signal_it(void)
{
    pthread_mutex_lock(&lock);
    signalled = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
}

static void exchange(unsigned which)
{
    heddle_atomic_begin();
    int seen = __atomic_load_n(&cell[which], __ATOMIC_RELAXED);

    __atomic_store_n(&cell[which], __atomic_load_n(&cell[1 - which], __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&cell[1 - which], seen, __ATOMIC_RELAXED);
    heddle_atomic_end();
}

static void attempt(unsigned me, unsigned what)
{
    if (pthread_mutex_trylock(&lock) != 0) {
        add(me, 3);
        return;
    }
    sum = sum * 3 + (int)what;
    pthread_mutex_unlock(&lock);
}

/* Each mutex has variables of two kinds, so that some of its sections share nothing. */
static void use_plain(unsigned me, unsigned what)
{
    unsigned which = what % PLAIN;

    pthread_mutex_lock(&guard[which % 2]);
    if (what / 4 % 3 == 0)
        add(me, (unsigned)*plain[which]);
    else if (what / 4 % 3 == 1)
        *plain[which] = (int)(what / 16 % 3);
    else
        *plain[which] = *plain[which] * 3 + *plain[(which + 2) % PLAIN] + 1;
    pthread_mutex_unlock(&guard[which % 2]);
}

/* A thread that uses the block does not ask whether it is free. */
static void use_block(unsigned me, unsigned what)
{
    pthread_mutex_lock(&guard[0]);
    if (what % 4 == 0)
        free(block);
    else if (what % 4 == 1)
        block = calloc(1, sizeof *block);
    else if (what % 4 == 2)
        add(me, (unsigned)*block);
    else
        ++*block;
    pthread_mutex_unlock(&guard[0]);
}

/* Only libc sees the text. */
static void use_text(unsigned me, unsigned what)
{
    pthread_mutex_lock(&guard[0]);
    if (what % 3 == 0)
        snprintf(text, sizeof text, "%u", what / 3 % 3);
    else if (what % 3 == 1)
        add(me, (unsigned)atoi(text));
    else
        ++*plain[0];
    pthread_mutex_unlock(&guard[0]);
}

static void step(unsigned me, char op, unsigned what)
{
    unsigned which = what % CELLS;

    switch (op) {
    case 'w':
        __atomic_store_n(&cell[which], (int)(what / CELLS % 4), __ATOMIC_RELAXED);
        break;
    case 'l':
        pthread_mutex_lock(&lock);
        sum = sum * 3 + (int)(what % 5);
        pthread_mutex_unlock(&lock);
        break;
    case 'a':
        exchange(which);
        break;
    case 'c':
        add(me, heddle_choose(2 + which));
        heddle_yield(); /* what follows a choice at once is its own step */
        break;
    case 's':
        heddle_assume(__atomic_load_n(&cell[which], __ATOMIC_RELAXED) != 2);
        break;
    case 'm': {
        void *p = malloc(8);

        add(me, p != NULL);
        free(p);
        heddle_yield();
        break;
    }
    case 't':
        attempt(me, what);
        break;
    case 'p':
        use_plain(me, what);
        break;
    case 'f':
        use_block(me, what);
        break;
    case 'o':
        use_text(me, what);
        break;
    default: /* k: one side waits, the other one signals */
        if (me == 0)
            wait_for_signal(me);
        else
            signal_it();
    }
}

static void *work(void *arg)
{
    unsigned me = *(unsigned *)arg;

    for (int i = 0; i < OPS; i++)
        step(me, (char)program[me][i], operand[me][i]);
    return NULL;
}

static unsigned draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* The invariant is there from the beginning, and is no operation. */
static void make(const char *family, unsigned seed)
{
    char letters[16];
    unsigned n = 0;

    for (; *family != '\0' && n < sizeof letters; family++)
        if (*family != 'i')
            letters[n++] = *family;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < OPS; i++) {
            program[t][i] = (unsigned char)letters[draw(&seed) % n];
            operand[t][i] = draw(&seed);
        }
}

int main(int argc, char **argv)
{
    static unsigned number[THREADS];
    pthread_t thread[THREADS];
    int local = 0;

    if (argc != 3)
        return 2;
    make(argv[1], (unsigned)atoi(argv[2]));
    plain[0] = &fixed[0];
    plain[1] = &fixed[1];
    plain[2] = &local;
    plain[3] = &fixed[2];
    if (strchr(argv[1], 'f') != NULL) { /* so that no fault is spent on these elsewhere */
        plain[1] = calloc(1, sizeof *plain[1]);
        block = calloc(1, sizeof *block);
    }
    if (strchr(argv[1], 'i') != NULL)
        heddle_always(look, 0);
    for (unsigned t = 0; t < THREADS; t++) {
        number[t] = t;
        if (pthread_create(&thread[t], NULL, work, &number[t]) != 0)
            return 77;
    }
    for (unsigned t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    unsigned code = history;

    for (int i = 0; i < CELLS; i++)
        code = code * 5 + (unsigned)cell[i];
    for (int t = 0; t < THREADS; t++)
        code = code * 11 + result[t];
    code = code * 13 + (unsigned)sum;
    for (int i = 0; i < PLAIN; i++)
        code = code * 17 + (unsigned)*plain[i];
    code = code * 19 + (unsigned)atoi(text);
    return 1 + (int)((code ^ code >> 8 ^ code >> 16) % 251);
}
