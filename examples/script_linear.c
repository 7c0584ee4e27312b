/* SPDX-License-Identifier: BSD-2-Clause
 *
 * script_linear.c - a sequential test, which `heddle linearize --split` gives to two clients (docs/linearize.md).
 *
 *     heddle cc -o script script_linear.c && heddle linearize --split ./script
 *
 * A step is a function with one operation; main is the set-up, the steps in their order, and probes.  Here the object is
 * a table of numbers with an index, and drop() empties them in two critical sections.  With -DFIXED it is one. */
#include <heddle/linear.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int row[4], nrows, indexed;

static int insert(int v)
{
    pthread_mutex_lock(&lock);
    row[nrows++] = v;
    indexed = nrows;
    int result = nrows;

    pthread_mutex_unlock(&lock);
    return result;
}

static void drop(void)
{
    pthread_mutex_lock(&lock);
    nrows = 0;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    indexed = 0;
    pthread_mutex_unlock(&lock);
}

static int count(void)
{
    pthread_mutex_lock(&lock);
    int result = indexed;

    pthread_mutex_unlock(&lock);
    return result;
}

static void insert_one(void)
{
    heddle_op("%d", insert(1));
}

static void drop_all(void)
{
    heddle_op_void(drop());
}

static void insert_two(void)
{
    heddle_op("%d", insert(2));
}

int main(void)
{
    insert(0);
    heddle_script(insert_one, drop_all, insert_two);
    heddle_op("%d", count());
    heddle_sequence("rows");
    for (int i = 0; i < nrows; i++)
        heddle_element("%d", row[i]);
    return 0;
}
