/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rw_writers_first - a read-write lock of a mutex and a condition; readers also wait for writers
 * that wait.
 *
 * Two readers, one of which reads twice, and a writer.  Claim: a reader sees both halves alike,
 * no thread waits forever, and no reader starts before a writer that was waiting.  The halves are
 * plain.  SIGNAL: a thread that leaves wakes one, perhaps not the one that can go on.  IF: a reader does not
 * look again when it wakes up.  STILL_WAITING: a writer that got the lock does not count itself out
 * of the threads that wait, and readers wait forever. */
#include "../program.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writers, waiting_writers;
static int left, right;

static void wake(void)
{
#ifdef SIGNAL
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
}

static bool reader_must_wait(void)
{
    return writers > 0 || waiting_writers > 0;
}

static void begin_to_read(void)
{
    pthread_mutex_lock(&lock);
#ifdef IF
    if (reader_must_wait())
        pthread_cond_wait(&changed, &lock);
#else
    while (reader_must_wait())
        pthread_cond_wait(&changed, &lock);
#endif
    assert(waiting_writers == 0);
    readers++;
    pthread_mutex_unlock(&lock);
}

static void end_reading(void)
{
    pthread_mutex_lock(&lock);
    if (--readers == 0)
        wake();
    pthread_mutex_unlock(&lock);
}

static void begin_to_write(void)
{
    pthread_mutex_lock(&lock);
    waiting_writers++;
    while (readers > 0 || writers > 0)
        pthread_cond_wait(&changed, &lock);
#ifndef STILL_WAITING
    waiting_writers--;
#endif
    writers = 1;
    pthread_mutex_unlock(&lock);
}

static void end_writing(void)
{
    pthread_mutex_lock(&lock);
    writers = 0;
    wake();
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg)
{
    for (int i = 0; i < number_of(arg); i++) {
        begin_to_read();
        assert(left == right);
        end_reading();
    }
    return NULL;
}

static void *writer(void *arg)
{
    begin_to_write();
    left++;
    right++;
    end_writing();
    return arg;
}

int main(void)
{
    pthread_t a = spawn_numbered(reader, 1), b = spawn_numbered(reader, 2), c = spawn(writer);

    join(a);
    join(b);
    join(c);
    return 0;
}
