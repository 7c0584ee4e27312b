/* SPDX-License-Identifier: BSD-2-Clause
 *
 * avl - threads put keys into a balanced tree, in a transaction or under a lock (Landslide's avl_fixed;
 * its avl_insert is UNCHECKED, avl_mutex the variant MUTEX).
 *
 * Claim: all keys are in the tree, which is in order and balanced.  UNCHECKED (elision.h): a
 * transaction turns the tree around while the other path goes down in it: a key gets lost, or the other
 * path finds no child where it counted on one. */
#include "elision.h"

enum { KEYS = 2 + THREADS * ROUNDS, LEFT = 0, RIGHT = 1 };

struct node {
    int key, height;
    struct node *child[2];
};

static struct node nodes[KEYS + 1]; /* of the key with this number */
static struct node *root;

static struct node *child_of(struct node *node, int side)
{
    return visible_read(node->child[side]);
}

static int height_of(struct node *node)
{
    return node == NULL ? 0 : visible_read(node->height);
}

static void measure(struct node *node)
{
    int a = height_of(child_of(node, LEFT)), b = height_of(child_of(node, RIGHT));

    visible_write(node->height, 1 + (a > b ? a : b));
}

/* The child at `side` goes up, its subtree at the other side to the node. */
static struct node *turn(struct node *node, int side)
{
    struct node *child = child_of(node, side);

    visible_write(node->child[side], child_of(child, !side));
    visible_write(child->child[!side], node);
    measure(node);
    measure(child);
    return child;
}

/* By how much the subtree at `side` is higher. */
static int leaning(struct node *node, int side)
{
    return height_of(child_of(node, side)) - height_of(child_of(node, !side));
}

static struct node *balanced(struct node *node)
{
    measure(node);
    for (int side = LEFT; side <= RIGHT; side++) {
        if (leaning(node, side) <= 1)
            continue;
        if (leaning(child_of(node, side), side) < 0)
            visible_write(node->child[side], turn(child_of(node, side), !side));
        return turn(node, side);
    }
    return node;
}

/* The subtree, with the new node in it. */
static struct node *with_node(struct node *subtree, struct node *new)
{
    if (subtree == NULL)
        return new;
    int side = new->key > subtree->key ? RIGHT : LEFT;

    visible_write(subtree->child[side], with_node(child_of(subtree, side), new));
    return balanced(subtree);
}

static void insert(int key)
{
    struct node *new = &nodes[key];

    visible_write(new->height, 1);
    visible_write(root, with_node(visible_read(root), new));
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        elide(insert, 3 + number_of(arg) + i * THREADS);
    return NULL;
}

/* How many keys between low and high there are; -1: not in order, or not balanced. */
static int count(struct node *node, int low, int high)
{
    int a, b;

    if (node == NULL)
        return 0;
    if (node->key <= low || node->key >= high)
        return -1;
    a = count(node->child[LEFT], low, node->key);
    b = count(node->child[RIGHT], node->key, high);
    return a < 0 || b < 0 || leaning(node, LEFT) > 1 || leaning(node, RIGHT) > 1 ? -1 : a + 1 + b;
}

int main(void)
{
    for (int key = 1; key <= KEYS; key++)
        nodes[key].key = key;
    insert(1);
    insert(2);
    run_threads(work);
    assert(count(root, 0, KEYS + 1) == KEYS);
    return 0;
}
