/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fsbench - threads that each give a block to an inode of a file system, with a
 * lock per inode and per block; main starts one thread per slot and runs past the
 * table (SCT study, row 15: CS.fsbench_bad).
 *
 * Claim: main stays within its table of threads.  Defect: its loop goes one
 * further, in every schedule; the study had put an assertion before the access.
 * Nothing races: busy[b] is under block lock b, inodes[i] under inode lock i.
 * Fix: the loop ends at the table's end, and there are as many threads as blocks:
 * one more would look for a free block forever. */
#include "../program.h"

#ifdef FIXED
enum { THREADS = 26, FURTHER = 0 };
#else
enum { THREADS = 27, FURTHER = 1 };
#endif
enum { BLOCKS = 26, INODES = 32 };

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inodes[INODES], busy[BLOCKS];

static bool take_block(int block, int inode)
{
    bool taken = false;

    pthread_mutex_lock(&block_locks[block]);
    if (!busy[block]) {
        busy[block] = 1;
        inodes[inode] = block + 1;
        taken = true;
    }
    pthread_mutex_unlock(&block_locks[block]);
    return taken;
}

static void *allocate(void *arg)
{
    int inode = number_of(arg) % INODES;
    int block = inode * 2 % BLOCKS;

    pthread_mutex_lock(&inode_locks[inode]);
    if (inodes[inode] == 0)
        while (!take_block(block, inode))
            block = (block + 1) % BLOCKS;
    pthread_mutex_unlock(&inode_locks[inode]);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_locks[i], NULL);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_locks[i], NULL);
    for (int i = 0; i < THREADS + FURTHER; i++) {
        assert(i < THREADS);
        threads[i] = spawn_numbered(allocate, i);
    }
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}
