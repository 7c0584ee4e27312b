/* SPDX-License-Identifier: BSD-2-Clause
 *
 * scan - a thread waits at each of four words in turn until it is 0.  They are 0 all the
 * time: it only walks along, and what tells one round from the next is where it looks,
 * which a compiler may well keep in two registers (ck_bytelock's writer). */
#include "live.h"

static int word[4];
static int last;

static void *walker(void *arg)
{
    for (int i = 0; i < 4; i++)
        while (get(word[i]) != 0)
            ;
    last = get(word[3]);
    return arg;
}

static void *writer(void *arg)
{
    put(word[3], 1);
    put(word[3], 0);
    return arg;
}

int main(void)
{
    pthread_t one = spawn(walker), other = spawn(writer);

    join(one);
    join(other);
    assert(last == 0 || last == 1);
    return 0;
}
