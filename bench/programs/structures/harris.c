/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harris - a lock-free set: a sorted list in which a node is marked, in its own link, before it
 * is taken out (the list of Harris; unlike there, a thread that meets a marked node takes it out at
 * once, as Michael does).
 *
 * Claim: set.h.  NO_MARK: a node is taken out without being marked, and what was inserted behind
 * it meanwhile goes with it. */
#include "../program.h"

enum { LAST_KEY = 100, NODES = 8 };

struct node {
    int key;
    uintptr_t next; /* its lowest bit: this node is removed */
};

static struct node nodes[NODES];
static int used; /* nodes are not reused */
static struct node last = {LAST_KEY, 0};
static struct node first = {-1, (uintptr_t)&last};

static struct node *pointer(uintptr_t link)
{
    return (struct node *)(link & ~(uintptr_t)1);
}

static struct node *next_of(const struct node *node)
{
    return pointer(node->next);
}

/* The first node whose key is not below, and the one before it; false: begin again. */
static bool search(int key, struct node **before, struct node **found)
{
    *before = &first;
    *found = pointer(atomic_read(first.next));
    for (;;) {
        uintptr_t link = atomic_read((*found)->next);

        if (link & 1) {
            if (!atomic_cas((*before)->next, (uintptr_t)*found, (uintptr_t)pointer(link)))
                return false;
            *found = pointer(link);
        } else if ((*found)->key >= key) {
            return true;
        } else {
            *before = *found;
            *found = pointer(link);
        }
    }
}

static bool insert(int key)
{
    struct node *node = &nodes[atomic_add(used, 1)], *before, *found;

    node->key = key;
    do {
        while (!search(key, &before, &found))
            ;
        if (found->key == key)
            return false;
        atomic_write(node->next, (uintptr_t)found);
    } while (!atomic_cas(before->next, (uintptr_t)found, (uintptr_t)node));
    return true;
}

static bool mark(struct node *node, uintptr_t link)
{
#ifdef NO_MARK
    (void)node;
    return (link & 1) == 0;
#else
    return (link & 1) == 0 && atomic_cas(node->next, link, link | 1);
#endif
}

static bool remove_key(int key)
{
    struct node *before, *found;
    uintptr_t link;

    do {
        while (!search(key, &before, &found))
            ;
        if (found->key != key)
            return false;
        link = atomic_read(found->next);
    } while (!mark(found, link));
    if (!atomic_cas(before->next, (uintptr_t)found, link))
        (void)search(key, &before, &found); /* takes it out on its way, or another did */
    return true;
}

#include "set.h"
