/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy_free.h - what lazy_use_first and lazy_free_first share. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int *block;

static void section(bool uses)
{
    pthread_mutex_lock(&mutex);
    if (uses)
        (void)*block;
    else
        free((void *)block);
    pthread_mutex_unlock(&mutex);
}

static void *other(void *arg)
{
    section(!MAIN_USES);
    return arg;
}

int main(void)
{
    block = malloc(sizeof *block);
    *block = 1;
    pthread_t thread = spawn(other);

    section(MAIN_USES);
    join(thread);
    return 0;
}
