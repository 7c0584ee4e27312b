/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear_template.c - a test of `heddle linearize` to begin with: copy it, and put your own object in place of this one.
 *
 *     heddle cc -o test linear_template.c && heddle linearize ./test
 *
 * Begin small: two clients with one or two operations each.  docs/linearize.md explains each part. */
#include <heddle/linear.h>

/* 1. The object.  Include its header in place of this. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[4], nitems;

static int add(int item)
{
    pthread_mutex_lock(&lock);
    int result = nitems < 4 ? 0 : -1;

    if (result == 0)
        items[nitems++] = item;
    pthread_mutex_unlock(&lock);
    return result;
}

static int count(void)
{
    pthread_mutex_lock(&lock);
    int result = nitems;

    pthread_mutex_unlock(&lock);
    return result;
}

/* 2. The clients.  Everything that they do with the object is an operation.  Print results, not addresses. */
static void one(void)
{
    heddle_op("%d", add(1));
    heddle_op("%d", count());
}

static void two(void)
{
    heddle_call("add(%d)", 2);
    int result = add(2);

    if (result < 0)
        heddle_return_error("full");
    else
        heddle_return("added");
}

int main(void)
{
    /* 3. The set-up. */
    add(0);

    heddle_clients(one, two);

    /* 4. Probes: ask the object for what it holds, through its own functions. */
    heddle_op("%d", count());

    /* 5. The state: walk through the structures; no client runs any more.  Name those that you leave out, too, with
     * HEDDLE_IGNORE: the summary lists them. */
    heddle_sequence("items");
    for (int i = 0; i < nitems; i++)
        heddle_element("%d", items[i]);
    return 0;
}
