/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map - threads put keys into a hash table with chains, in a transaction or under a lock (Landslide's
 * map_basic, and without a larger table, ONE_SIZE, its map_basicer; map_mutex is the variant MUTEX).
 *
 * Claim: all keys are found.  When there are more keys than chains, all move to a table with more of
 * them.  UNCHECKED (elision.h): a transaction puts its key into a chain whose beginning the other
 * path has read, or into a table that it is just leaving. */
#include "elision.h"

enum { KEYS = 1 + THREADS * ROUNDS, TABLES = 2, NONE = 0 };

static int chains[TABLES][TABLES], next[KEYS + 1]; /* table t has t + 1 chains; a node is its key */
static int table, keys;

static int *chain_of(int t, int key)
{
    return &chains[t][key % (t + 1)];
}

static void put_first(int t, int key)
{
    int *chain = chain_of(t, key);

    visible_write(next[key], visible_read(*chain));
    visible_write(*chain, key);
}

static void grow(void)
{
    int key = visible_read(chains[0][0]);

    while (key != NONE) {
        int after = visible_read(next[key]);

        put_first(1, key);
        key = after;
    }
    visible_write(table, 1);
}

static void put(int key)
{
    put_first(visible_read(table), key);
    visible_write(keys, visible_read(keys) + 1);
#ifndef ONE_SIZE
    if (visible_read(table) == 0 && visible_read(keys) > 1)
        grow();
#endif
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        elide(put, 2 + number_of(arg) + i * THREADS);
    return NULL;
}

static bool is_found(int key)
{
    int at = *chain_of(table, key);

    for (int steps = 0; at != NONE && at != key && steps < KEYS; steps++)
        at = next[at];
    return at == key;
}

int main(void)
{
    put(1);
    run_threads(work);
    for (int key = 1; key <= KEYS; key++)
        assert(is_found(key));
    assert(keys == KEYS);
    return 0;
}
