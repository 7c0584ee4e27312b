/* SPDX-License-Identifier: BSD-2-Clause
 *
 * radbench_bug2 - an object of a script engine that belongs to one of two threads;
 * its owner reads and writes it without a lock, another has to claim it first (SCT
 * study, row 44: radbench.bug2, of which is public that it is in SpiderMonkey and
 * needs three preemptions).
 *
 * Claim: while main owns the object, it does not change under it.  Defect: the
 * former owner looks whether it owns the object and writes afterwards.  It shows
 * when it looks, main claims and reads, it writes, and main reads again: three
 * preemptions, since main comes first.  Owner and object race and are visible.
 * Around it both do other work under a lock, to have the study's number of points.
 * Fix: the look and the write, and what main does as the owner, are sections of one
 * lock. */
#include "../program.h"

enum { MAIN = 1, OTHER = 2, WORK = 18 };

static pthread_mutex_t object_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;
static int owner = OTHER, object, work_done;

static void work(void)
{
    for (int i = 0; i < WORK; i++) {
        pthread_mutex_lock(&work_lock);
        work_done++;
        pthread_mutex_unlock(&work_lock);
    }
}

static void begin(void)
{
#ifdef FIXED
    pthread_mutex_lock(&object_lock);
#endif
}

static void end(void)
{
#ifdef FIXED
    pthread_mutex_unlock(&object_lock);
#else
    (void)object_lock;
#endif
}

static void *former_owner(void *arg)
{
    work();
    begin();
    if (visible_read(owner) == OTHER)
        visible_write(object, visible_read(object) + 1);
    end();
    work();
    return arg;
}

int main(void)
{
    pthread_t other = spawn(former_owner);
    int seen;

    work();
    begin();
    visible_write(owner, MAIN);
    seen = visible_read(object);
    assert(visible_read(object) == seen);
    end();
    work();
    join(other);
    return 0;
}
