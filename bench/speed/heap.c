/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heap.c - a list of small blocks is built, walked and freed, many times over: an
 * allocation, a release and ten plain accesses to the heap for each of its nodes. */
#include <stddef.h>
#include <stdlib.h>

enum { LISTS = 100, NODES = 100 };

struct node {
    struct node *next;
    long value;
};

static struct node *build(void)
{
    struct node *list = NULL;

    for (long i = 0; i < NODES; i++) {
        struct node *n = malloc(sizeof *n);

        n->next = list;
        n->value = i;
        list = n;
    }
    return list;
}

static long walk(const struct node *list)
{
    long sum = 0;

    for (; list != NULL; list = list->next)
        sum += list->value;
    return sum;
}

int main(void)
{
    long sum = 0;

    for (int i = 0; i < LISTS; i++) {
        struct node *list = build();

        for (int k = 0; k < 3; k++)
            sum += walk(list);
        while (list != NULL) {
            struct node *next = list->next;

            free(list);
            list = next;
        }
    }
    return sum != (long)LISTS * 3 * NODES * (NODES - 1) / 2;
}
