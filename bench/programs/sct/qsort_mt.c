/* SPDX-License-Identifier: BSD-2-Clause
 *
 * qsort_mt - a quicksort with a pool of helpers: a thread that has split its part gives one
 * half to a helper that is idle (SCT study, row 36: inspect.qsort_mt).
 *
 * Claim: the array is sorted when all helpers have ended.  Defect: the helper is
 * set to work before it is told on which part; one that was not asleep yet sees
 * that there is work and sorts the part that it had last, which is none.  The
 * bounds of the part race and are visible; the array itself is ordered by the
 * giving. Two helpers; main gives the whole array to the first.
 * Fix: bounds and state are set in one section. */
#include "../program.h"

enum { HELPERS = 2, LENGTH = 6, SMALL = 2 };
enum state { IDLE, WORK, QUIT };

static struct helper {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    enum state state;
    int low, high;
} pool[HELPERS];

static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static bool busy[HELPERS];
static int busy_count;
static int array[LENGTH] = {5, 2, 4, 0, 3, 1};

static void set_state(struct helper *h, enum state state)
{
    pthread_mutex_lock(&h->lock);
    h->state = state;
    pthread_cond_signal(&h->wake);
    pthread_mutex_unlock(&h->lock);
}

static struct helper *reserve(void)
{
    struct helper *found = NULL;

    pthread_mutex_lock(&pool_lock);
    for (int i = 0; i < HELPERS && !found; i++)
        if (!busy[i]) {
            busy[i] = true;
            busy_count++;
            found = &pool[i];
        }
    pthread_mutex_unlock(&pool_lock);
    return found;
}

static bool give(int low, int high)
{
    struct helper *h = reserve();

    if (!h)
        return false;
#ifdef FIXED
    visible_write(h->low, low);
    visible_write(h->high, high);
    set_state(h, WORK);
#else
    set_state(h, WORK);
    visible_write(h->low, low);
    visible_write(h->high, high);
#endif
    return true;
}

static void swap(int i, int j)
{
    int kept = array[i];

    array[i] = array[j];
    array[j] = kept;
}

/* Where the pivot is, smaller ones below it. */
static int split(int low, int high)
{
    int middle = low;

    for (int i = low; i < high - 1; i++)
        if (array[i] < array[high - 1])
            swap(i, middle++);
    swap(middle, high - 1);
    return middle;
}

static void sort(int low, int high)
{
    int middle;

    if (high - low < 2)
        return;
    middle = split(low, high);
    if (high - middle <= SMALL || !give(middle + 1, high))
        sort(middle + 1, high);
    sort(low, middle);
}

/* True for the last that is through: then the others may go. */
static bool retire(struct helper *h)
{
    bool last;

    pthread_mutex_lock(&h->lock);
    h->state = IDLE;
    pthread_mutex_unlock(&h->lock);
    pthread_mutex_lock(&pool_lock);
    busy[h - pool] = false;
    last = --busy_count == 0;
    pthread_mutex_unlock(&pool_lock);
    return last;
}

static enum state wait_for_work(struct helper *h)
{
    enum state state;

    pthread_mutex_lock(&h->lock);
    while (h->state == IDLE)
        pthread_cond_wait(&h->wake, &h->lock);
    state = h->state;
    pthread_mutex_unlock(&h->lock);
    return state;
}

static void *help(void *arg)
{
    struct helper *h = &pool[number_of(arg)];

    while (wait_for_work(h) == WORK) {
        int low = visible_read(h->low), high = visible_read(h->high);

        sort(low, high);
        if (!retire(h))
            continue;
        for (int i = 0; i < HELPERS; i++)
            set_state(&pool[i], QUIT);
    }
    return NULL;
}

int main(void)
{
    pthread_t helpers[HELPERS];

    for (int i = 0; i < HELPERS; i++) {
        pthread_mutex_init(&pool[i].lock, NULL);
        pthread_cond_init(&pool[i].wake, NULL);
    }
    for (int i = 0; i < HELPERS; i++)
        helpers[i] = spawn_numbered(help, i);
    give(0, LENGTH);
    for (int i = 0; i < HELPERS; i++)
        join(helpers[i]);
    for (int i = 0; i < LENGTH; i++)
        assert(array[i] == i);
    return 0;
}
