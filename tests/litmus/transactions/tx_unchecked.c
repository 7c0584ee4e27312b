/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Landslide's htm1: the path after an abort takes a lock that the transaction does not look at, so that
 * a raising is lost.  CHECKED is its htm2: the transaction looks at a flag, and the data are plain on
 * both paths. */
#include "rtm.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_taken;
static int counter;

static void *raise_it(void *arg)
{
    if (_xbegin() == _XBEGIN_STARTED) {
#ifdef CHECKED
        if (is_taken)
            _xabort(1);
#endif
        counter++;
        _xend();
        return arg;
    }
    pthread_mutex_lock(&mutex);
    is_taken = 1;
    counter++;
    is_taken = 0;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    run2(raise_it, raise_it);
    assert(counter == 2);
    return 0;
}
