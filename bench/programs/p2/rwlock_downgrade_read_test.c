/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_downgrade_read_test - main writes, becomes a reader, and stays one until the other reader
 * has been there (Landslide's test); with WRITER the other one writes instead, and main does not
 * wait for it.
 *
 * Claim: the two read at the same time, and the other sees what main wrote; with WRITER, no thread
 * writes between main's writing and its reading.  The data are plain.  Mistakes:
 * RW_DOWNGRADE_MUTE; with WRITER RW_DOWNGRADE_GAP (library.h). */
#include "library.h"

static struct rwlock lock;
static int data;

#ifdef WRITER
static void *other(void *arg)
{
    rwlock_write(&lock);
    data = 2;
    rwlock_unlock(&lock);
    return arg;
}

static void await_other(void)
{
    assert(data == 1);
}
#else
static int has_read;

static void *other(void *arg)
{
    rwlock_read(&lock);
    assert(data == 1);
    visible_write(has_read, 1);
    rwlock_unlock(&lock);
    return arg;
}

static void await_other(void)
{
    while (!visible_read(has_read))
        yield();
}
#endif

int main(void)
{
    begin_main();
    rwlock_init(&lock);
    rwlock_write(&lock);
    start(1, other, NULL);
    data = 1;
    rwlock_downgrade(&lock);
    await_other();
    rwlock_unlock(&lock);
    await_end(1);
    return 0;
}
