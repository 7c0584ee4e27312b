/* SPDX-License-Identifier: BSD-2-Clause
 *
 * double_checked - an object is made on first use; the lock is taken only by the threads that do not see
 * it yet.
 *
 * Claim: it is made once, and complete when it is seen.  The object is plain.  PLAIN: the pointer
 * is read outside the lock as if it were not shared.  PUBLISH_EARLY: the pointer is stored
 * before the object is complete.  ONE_CHECK: inside the lock no thread looks again. */
#include "../program.h"

enum { THREADS = 3 };

struct object {
    int left, right;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *object;
static int made;

static void make(void)
{
    struct object *mine = malloc(sizeof *mine);

    assert(mine);
    made++;
#ifdef PUBLISH_EARLY
    release_write(object, mine);
    *mine = (struct object){1, 1};
#elif defined(PLAIN)
    *mine = (struct object){1, 1};
    object = mine;
#else
    *mine = (struct object){1, 1};
    release_write(object, mine);
#endif
}

static struct object *look(void)
{
#ifdef PLAIN
    return object;
#else
    return acquire_read(object);
#endif
}

static bool is_missing(void)
{
#ifdef ONE_CHECK
    return true;
#else
    return look() == NULL;
#endif
}

static struct object *get(void)
{
    if (look() == NULL) {
        pthread_mutex_lock(&lock);
        if (is_missing())
            make();
        pthread_mutex_unlock(&lock);
    }
    return look();
}

static void *use(void *arg)
{
    struct object *mine = get();

    assert(mine->left == 1 && mine->right == 1);
    return arg;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn(use);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    assert(made == 1);
    free(object);
    return 0;
}
