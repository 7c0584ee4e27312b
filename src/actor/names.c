/* SPDX-License-Identifier: BSD-2-Clause
 *
 * names.c - finds actors by name.  The list of names only grows; each name refers to the actor that was last
 * published under it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "actor/cell.h"

struct entry {
    struct entry *next;
    heddle_ref who;
    char name[];
};

static struct entry *entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry *entry_of(const char *name)
{
    struct entry *e = entries;

    while (e != NULL && strcmp(e->name, name) != 0)
        e = e->next;
    return e;
}

/* Returns an address that represents a name, even before it has an entry.  Names that share an address are only
 * ordered more than necessary. */
static const void *shared(const char *name)
{
    static const char place[64];
    unsigned h = 0;

    while (*name != 0)
        h = h * 31 + (unsigned char)*name++;
    return &place[h % sizeof place];
}

void ha_publish(struct heddle_cell_ *c)
{
    const char *name = c->name != NULL ? c->name : c->what->name;
    struct entry *e;

    if (c->node == NULL)
        ha_exec->writes(shared(name));
    else
        ha_exec->affects(shared(name), c->node, "publish");
    if (!ha_outlives(c))
        return;
    ha_lock(&lock);
    e = entry_of(name);
    if (e == NULL) {
        e = ha_allocate(sizeof *e + strlen(name) + 1);
        strcpy(e->name, name);
        e->next = entries;
        entries = e;
    }
    e->who = ha_ref(c);
    ha_unlock(&lock);
    c->published = true;
}

void ha_unpublish(struct heddle_cell_ *c)
{
    if (!c->published)
        return;
    const char *name = c->name != NULL ? c->name : c->what->name;
    struct entry *e;

    ha_exec->writes(shared(name)); /* done by the actor's own thread, even after a crash: it only removes the
                                    * reference to itself */
    ha_lock(&lock);
    e = entry_of(name);
    if (e != NULL && heddle_is(e->who, ha_ref(c)))
        e->who = (heddle_ref){ .cell = NULL };
    ha_unlock(&lock);
}

heddle_ref heddle_find(const char *name)
{
    heddle_ref who = { .cell = NULL };
    struct entry *e;

    ha_started();
    ha_exec->looks(shared(name));
    ha_lock(&lock);
    e = entry_of(name);
    if (e != NULL)
        who = e->who;
    ha_unlock(&lock);
    return who;
}
