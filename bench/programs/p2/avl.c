/* SPDX-License-Identifier: BSD-2-Clause
 *
 * avl - two threads put a key each into a balanced tree, in a transaction or under a lock
 * (Landslide's avl_insert; avl_mutex is the variant MUTEX).
 *
 * Claim: all keys are in the tree, which is in order and balanced.  UNCHECKED (elision.h): a
 * transaction turns the tree around while the other path goes down in it, and a key gets lost. */
#include "elision.h"

enum { KEYS = 4, NONE = 0 };

/* A node is its key; the accesses to shared memory are points. */
static int root, left[KEYS + 1], right[KEYS + 1], height[KEYS + 1];

static int height_of(int node)
{
    return node == NONE ? 0 : visible_read(height[node]);
}

static void measure(int node)
{
    int a = height_of(visible_read(left[node])), b = height_of(visible_read(right[node]));

    visible_write(height[node], 1 + (a > b ? a : b));
}

/* The child at `to` goes up, its subtree at `from` to the node. */
static int turn(int node, int *to, int *from)
{
    int child = visible_read(to[node]);

    visible_write(to[node], visible_read(from[child]));
    visible_write(from[child], node);
    measure(node);
    measure(child);
    return child;
}

static int leaning(int node)
{
    return height_of(visible_read(right[node])) - height_of(visible_read(left[node]));
}

static int balanced(int node)
{
    int lean = leaning(node);

    measure(node);
    if (lean > 1) {
        if (leaning(visible_read(right[node])) < 0)
            visible_write(right[node], turn(visible_read(right[node]), left, right));
        return turn(node, right, left);
    }
    if (lean < -1) {
        if (leaning(visible_read(left[node])) > 0)
            visible_write(left[node], turn(visible_read(left[node]), right, left));
        return turn(node, left, right);
    }
    return node;
}

/* The subtree of node, with the key in it. */
static int with_key(int node, int key)
{
    int *side = key < node ? left : right;

    if (node == NONE) {
        visible_write(height[key], 1);
        return key;
    }
    visible_write(side[node], with_key(visible_read(side[node]), key));
    return balanced(node);
}

static void insert(int key)
{
    visible_write(root, with_key(visible_read(root), key));
}

static void *work(void *arg)
{
    elide(insert, number_of(arg));
    return NULL;
}

/* How many keys between low and high there are; -1: not in order, or not balanced. */
static int count(int node, int low, int high)
{
    int a, b;

    if (node == NONE)
        return 0;
    if (node <= low || node >= high)
        return -1;
    a = count(left[node], low, node);
    b = count(right[node], node, high);
    return a < 0 || b < 0 || leaning(node) > 1 || leaning(node) < -1 ? -1 : a + 1 + b;
}

int main(void)
{
    pthread_t one, two;

    insert(1);
    insert(2);
    one = spawn_numbered(work, 3);
    two = spawn_numbered(work, 4);
    join(one);
    join(two);
    assert(count(root, 0, KEYS + 1) == KEYS);
    return 0;
}
