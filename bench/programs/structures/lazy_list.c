/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy_list - a set: a sorted list that is searched without locks; a thread that changes it locks the two
 * nodes concerned and looks again (the lazy list of Heller and others).
 *
 * Claim: set.h.  NO_VALIDATE: no thread looks again.  NO_MARK: a thread that looks again sees that the two are
 * neighbours still, but not that the first of them was removed. */
#include "../program.h"

enum { LAST_KEY = 100, NODES = 8 };

struct node {
    pthread_mutex_t lock;
    int key;
    int removed;
    struct node *next;
};

static struct node nodes[NODES];
static int used; /* nodes are not reused */
static struct node last = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = LAST_KEY};
static struct node first = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = -1, .next = &last};

static struct node *next_of(const struct node *node)
{
    return node->next;
}

static bool is_valid(struct node *before, struct node *found)
{
#if defined(NO_VALIDATE)
    (void)before, (void)found;
    return true;
#elif defined(NO_MARK)
    return atomic_read(before->next) == found;
#else
    return !atomic_read(before->removed) && !atomic_read(found->removed) &&
           atomic_read(before->next) == found;
#endif
}

static void unlock_both(struct node *before, struct node *found)
{
    pthread_mutex_unlock(&found->lock);
    pthread_mutex_unlock(&before->lock);
}

/* Locks the first node whose key is not below, and the one before it. */
static void lock_both(int key, struct node **before, struct node **found)
{
    for (;;) {
        *before = &first;
        while ((*found = atomic_read((*before)->next))->key < key)
            *before = *found;
        pthread_mutex_lock(&(*before)->lock);
        pthread_mutex_lock(&(*found)->lock);
        if (is_valid(*before, *found))
            return;
        unlock_both(*before, *found);
    }
}

static bool insert(int key)
{
    struct node *before, *found, *node;
    bool is_new;

    lock_both(key, &before, &found);
    is_new = found->key != key;
    if (is_new) {
        node = &nodes[atomic_add(used, 1)];
        pthread_mutex_init(&node->lock, NULL);
        node->key = key;
        atomic_write(node->next, found);
        atomic_write(before->next, node);
    }
    unlock_both(before, found);
    return is_new;
}

static bool remove_key(int key)
{
    struct node *before, *found;
    bool was_there;

    lock_both(key, &before, &found);
    was_there = found->key == key;
    if (was_there) {
        atomic_write(found->removed, 1);
        atomic_write(before->next, atomic_read(found->next));
    }
    unlock_both(before, found);
    return was_there;
}

#include "set.h"
