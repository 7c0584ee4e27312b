/* SPDX-License-Identifier: BSD-2-Clause
 *
 * aget - the skeleton of a download in parts: each part has a thread that counts
 * its bytes and the bytes of all, and a thread that stands for the handler of
 * the interrupt, which saves the counts so that the download can be resumed (SCT
 * study, row 0: CB.aget-bug2).
 *
 * Claim: the parts that were saved add up to the total that was saved.  Defect:
 * the handler takes the total under its lock and the parts without, and a part
 * counts its own bytes outside that lock; what comes between is in one and not in the
 * other, and a resumed download has a hole.  The parts' counts race and are visible.
 * The network is a table, the handler is called at any time, and the check of
 * the saved file is an assertion.
 * Fix: a part's count is changed and saved under the lock of the total. */
#include "../program.h"

enum { PARTS = 2, CHUNKS = 2, CHUNK = 512 };

static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static int done[PARTS];

struct log {
    int total;
    int done[PARTS];
};

static void count_part(int part)
{
#ifdef FIXED
    done[part] += CHUNK;
#else
    visible_write(done[part], visible_read(done[part]) + CHUNK);
#endif
}

static void *download(void *arg)
{
    int part = number_of(arg);

    for (int chunk = 0; chunk < CHUNKS; chunk++) {
#ifndef FIXED
        count_part(part);
#endif
        pthread_mutex_lock(&total_lock);
        total += CHUNK;
#ifdef FIXED
        count_part(part);
#endif
        pthread_mutex_unlock(&total_lock);
    }
    return NULL;
}

static void check_log(const struct log *log)
{
    int sum = 0;

    for (int i = 0; i < PARTS; i++)
        sum += log->done[i];
    assert(log->total == sum);
}

static void *save_log(void *arg)
{
    struct log log;

    pthread_mutex_lock(&total_lock);
    log.total = total;
#ifndef FIXED
    pthread_mutex_unlock(&total_lock);
#endif
    for (int i = 0; i < PARTS; i++)
#ifdef FIXED
        log.done[i] = done[i];
    pthread_mutex_unlock(&total_lock);
#else
        log.done[i] = visible_read(done[i]);
#endif
    check_log(&log);
    return arg;
}

int main(void)
{
    pthread_t parts[PARTS], handler = spawn(save_log);

    for (int i = 0; i < PARTS; i++)
        parts[i] = spawn_numbered(download, i);
    for (int i = 0; i < PARTS; i++)
        join(parts[i]);
    join(handler);
    return 0;
}
