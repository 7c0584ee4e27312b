/* SPDX-License-Identifier: BSD-2-Clause
 *
 * hand_over_hand - a set: a sorted list that is walked by locking the next node before the lock
 * of this one is given up (lock coupling).  Removed nodes are freed at once.
 *
 * Claim: set.h.  GAP: the lock is given up first; the next node may be gone then. */
#include "../program.h"

enum { LAST_KEY = 100 };

struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
};

static struct node last = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = LAST_KEY};
static struct node first = {.lock = PTHREAD_MUTEX_INITIALIZER, .key = -1, .next = &last};

static struct node *next_of(const struct node *node)
{
    return node->next;
}

/* The last node whose key is below, locked; the next one is locked, too. */
static struct node *find(int key)
{
    struct node *before = &first;

    pthread_mutex_lock(&before->lock);
    pthread_mutex_lock(&before->next->lock);
    while (before->next->key < key) {
        struct node *next = before->next;
#ifdef GAP
        pthread_mutex_unlock(&next->lock);
        pthread_mutex_unlock(&before->lock);
        pthread_mutex_lock(&next->lock);
#else
        pthread_mutex_unlock(&before->lock);
#endif
        before = next;
        pthread_mutex_lock(&before->next->lock);
    }
    return before;
}

static bool insert(int key)
{
    struct node *before = find(key), *found = before->next;
    bool is_new = found->key != key;

    if (is_new) {
        struct node *node = malloc(sizeof *node);

        assert(node);
        pthread_mutex_init(&node->lock, NULL);
        node->key = key;
        node->next = found;
        before->next = node;
    }
    pthread_mutex_unlock(&found->lock);
    pthread_mutex_unlock(&before->lock);
    return is_new;
}

static bool remove_key(int key)
{
    struct node *before = find(key), *found = before->next;
    bool was_there = found->key == key;

    if (was_there)
        before->next = found->next;
    pthread_mutex_unlock(&found->lock);
    if (was_there) {
        pthread_mutex_destroy(&found->lock);
        free(found);
    }
    pthread_mutex_unlock(&before->lock);
    return was_there;
}

#include "set.h"
