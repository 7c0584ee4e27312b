/* SPDX-License-Identifier: BSD-2-Clause
 *
 * old_value - loops that load a word and exchange it, and that use the value of the last round after all: each
 * round leaves another state behind, so none of them may be left out.  "old_value KIND": what
 * fails needs a round after one in which the exchange has failed. */
#include "live.h"

static int word;

static bool exchange(int *expected, int with)
{
    return __atomic_compare_exchange_n(&word, expected, with, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Compares it with what is loaded next. */
static bool compares(void)
{
    bool bad = false;
    int old = 100, now;

    do {
        now = get(word);
        bad |= now == old + 1;
        old = now;
    } while (!exchange(&old, now + 10));
    return bad;
}

/* The same through a pointer. */
static bool points(void)
{
    bool bad = false;
    int old = 100, now, *volatile last = &old;

    do {
        now = get(word);
        bad |= now == *last + 1;
        old = now;
    } while (!exchange(&old, now + 10));
    return bad;
}

/* The same in a register. */
static bool keeps(void)
{
    bool bad = false;
    int before = 100, old;

    do {
        old = get(word);
        bad |= old == before + 1;
        before = old;
        __asm__ volatile("" : "+r"(before));
    } while (!exchange(&old, before + 10));
    return bad;
}

/* The same by an atomic load. */
static bool loads(void)
{
    bool bad = false;
    int old = 100, now;

    do {
        now = get(word);
        bad |= now == get(old) + 1;
        old = now;
    } while (!exchange(&old, now + 10));
    return bad;
}

/* By another exchange, which expects it, too. */
static int other = 1;

static bool expects(void)
{
    bool bad = false;
    int old = 100, now;

    do {
        now = get(word);
        int copy = now;

        if (now > 1) /* finds the value of the last round there */
            bad |= __atomic_compare_exchange_n(&other, &old, 5, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        old = copy;
    } while (!exchange(&old, now + 10));
    return bad;
}

/* Counts how often it has failed. */
static bool counts(void)
{
    int tries = 0, old;

    do {
        old = get(word);
        tries++;
    } while (!exchange(&old, old + 10));
    return tries > 2;
}

/* Gives up. */
static bool gives_up(void)
{
    int old;

    for (int i = 0; i < 2; i++) {
        old = get(word);
        if (exchange(&old, old + 10))
            return false;
    }
    return true;
}

/* Rounds that store in a node, which the loop addresses by a register. */
static int node_of_main = 100, *volatile node_at = &node_of_main;

/* Leaves without having stored again: what the last round has stored is still there. */
static bool stays(void)
{
    int *node = node_at, old;

    do {
        old = get(word);
        if (old == 2)
            return *node == 1;
        *node = old;
    } while (!exchange(&old, old + 10));
    return false;
}

/* Reads it before it stores. */
static bool reads(void)
{
    int *node = node_at, old;
    bool bad = false;

    do {
        old = get(word);
        bad |= *node == 1;
        *node = old;
    } while (!exchange(&old, old + 10));
    return bad;
}

/* The same through another pointer. */
static bool aliases(void)
{
    int *node = node_at, *same = node_at, old;
    bool bad = false;

    do {
        old = get(word);
        bad |= *same == 1;
        *node = old;
    } while (!exchange(&old, old + 10));
    return bad;
}

/* Lets the other thread read it before it stores again. */
static int told;

static bool tells(void)
{
    int *node = node_at, old;

    do {
        old = get(word);
        if (old == 2) {
            put(told, 1);
            while (get(told) != 2)
                ;
        }
        *node = old;
    } while (!exchange(&old, old + 10));
    put(told, 3);
    return false;
}

static void *retries(void *arg)
{
    bool bad = is("compares") ? compares() : is("points") ? points() : is("keeps") ? keeps() : is("loads") ? loads() :
               is("expects") ? expects() : is("counts") ? counts() : is("stays") ? stays() : is("reads") ? reads() :
               is("aliases") ? aliases() : is("tells") ? tells() : gives_up();

    assert(!bad);
    return arg;
}

static void *stores(void *arg)
{
    put(word, 1);
    put(word, 2);
    if (is("tells"))
        while (get(told) == 0)
            ;
    if (get(told) == 1) {
        assert(node_of_main != 1);
        put(told, 2);
    }
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t one = spawn(retries), two = spawn(stores);

    join(one);
    join(two);
    return 0;
}
