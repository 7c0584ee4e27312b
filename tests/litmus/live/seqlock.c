/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seqlock - a reader that tries again while the number of changes is odd or changes.
 *
 * fixed: writers exclude each other.  bug: two of them lose an increment, the number
 * stays odd, and the reader tries forever. */
#include "live.h"

static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;
static int number, left, right;

static void *writer(void *arg)
{
    if (!is("bug"))
        pthread_mutex_lock(&writers);
    put(number, get(number) + 1);
    put(left, 1);
    put(right, 1);
    put(number, get(number) + 1);
    if (!is("bug"))
        pthread_mutex_unlock(&writers);
    return arg;
}

int main(int argc, char **argv)
{
    int before, l, r;

    take_variant(argc, argv);
    pthread_t one = spawn(writer), two = is("bug") ? spawn(writer) : one;

    do {
        before = get(number);
        l = get(left);
        r = get(right);
    } while (before % 2 != 0 || get(number) != before);
    assert(is("bug") || l == r);
    join(one);
    if (two != one)
        join(two);
    return 0;
}
