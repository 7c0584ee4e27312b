/* SPDX-License-Identifier: BSD-2-Clause
 *
 * held.c - the order of docs/findings/lmdb-meta.md without Heddle.  The recipe puts calls of these functions into mdb.c;
 * they delay threads and do nothing else, so whatever comes of it can happen in the shipped version.
 *
 * For `HARNESS mapped DIRECTORY ww r`: the reader has chosen a page with the newest transaction; meanwhile the writer commits once, and
 * has half written its second commit into the same page when the reader copies it. */
#include <semaphore.h>

static sem_t chosen, half, copied;
static int commits; /* the first is that of the set-up */
static __thread int is_reader;

__attribute__((constructor)) static void prepare(void)
{
    sem_init(&chosen, 0, 0);
    sem_init(&half, 0, 0);
    sem_init(&copied, 0, 0);
}

void held_reader_has_chosen(void)
{
    is_reader = 1;
    sem_post(&chosen);
    sem_wait(&half);
}

void held_has_copied(void)
{
    if (is_reader)
        sem_post(&copied);
}

void held_commit_is_half_written(void)
{
    commits++;
    if (commits == 2)
        sem_wait(&chosen);
    if (commits == 3) {
        sem_post(&half);
        sem_wait(&copied);
    }
}
