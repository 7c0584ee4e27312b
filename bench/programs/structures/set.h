/* SPDX-License-Identifier: BSD-2-Clause
 *
 * set.h - the test of a set that is a sorted list: of 1 and 3, one thread removes 1 and the
 * other inserts 2 and removes 3.
 *
 * Claim: each of these succeeds, and 2 is left.  The including file defines struct node with a
 * key, insert and remove_key, next_of (main's, when all is quiet), and first.  Nodes are kept until
 * the end: reclaiming them is not what this is about. */
#ifndef SET_H
#define SET_H

static void *remove_one(void *arg)
{
    assert(remove_key(1));
    return arg;
}

static void *insert_and_remove(void *arg)
{
    assert(insert(2));
    assert(remove_key(3));
    return arg;
}

int main(void)
{
    pthread_t a, b;

    assert(insert(1) && insert(3));
    a = spawn(remove_one);
    b = spawn(insert_and_remove);
    join(a);
    join(b);
    assert(next_of(&first)->key == 2);
    assert(next_of(next_of(&first))->key == LAST_KEY);
    return 0;
}

#endif
