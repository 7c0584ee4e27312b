/* SPDX-License-Identifier: BSD-2-Clause
 *
 * read_mostly - a table of which readers take the current version, with a reference each, and
 * which an updater replaces as a whole.
 *
 * Claim: no thread uses a freed version, and none is left.  A version and its reference are taken
 * under a lock.  COUNT_LATE: the reference is counted after the lock was given up; the version may
 * be gone.  FREE: the updater frees the old version instead of giving up a reference. */
#include "../program.h"

enum { READERS = 2 };

struct version {
    int references;
    int left, right;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct version *current;

static struct version *new_version(int value)
{
    struct version *version = malloc(sizeof *version);

    assert(version);
    *version = (struct version){1, value, value};
    return version;
}

static struct version *take(void)
{
    struct version *version;

    pthread_mutex_lock(&lock);
    version = current;
#ifdef COUNT_LATE
    pthread_mutex_unlock(&lock);
    atomic_add(version->references, 1);
#else
    atomic_add(version->references, 1);
    pthread_mutex_unlock(&lock);
#endif
    return version;
}

static void give_up(struct version *version)
{
    if (atomic_add(version->references, -1) == 1)
        free(version);
}

static void *reader(void *arg)
{
    struct version *version = take();

    assert(version->left == version->right);
    give_up(version);
    return arg;
}

static void replace(int value)
{
    struct version *version = new_version(value), *old;

    pthread_mutex_lock(&lock);
    old = current;
    current = version;
    pthread_mutex_unlock(&lock);
#ifdef FREE
    free(old);
#else
    give_up(old);
#endif
}

int main(void)
{
    pthread_t readers[READERS];

    current = new_version(1);
    for (int i = 0; i < READERS; i++)
        readers[i] = spawn(reader);
    replace(2);
    for (int i = 0; i < READERS; i++)
        join(readers[i]);
    give_up(current);
    current = NULL;
    return 0;
}
