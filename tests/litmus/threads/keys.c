/* SPDX-License-Identifier: BSD-2-Clause
 *
 * keys [RAN | joined] - a thread has a value of a key, which main deletes meanwhile.
 *
 * Claim (an assertion): the value's destructor runs RAN (0 or 1) times.  False for both: the
 * thread may end before or after the key is gone.  Joined: main waits for the thread first, and
 * then it has run, once. */
#include "../litmus.h"

#include <semaphore.h>
#include <string.h>

static pthread_key_t key;
static sem_t set;
static int ran;

static void destructor(void *value)
{
    (void)value;
    visible_write(ran, 1);
}

static void *body(void *unused)
{
    pthread_setspecific(key, &ran);
    sem_post(&set);
    return unused;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "1";
    bool joined = strcmp(how, "joined") == 0;

    pthread_key_create(&key, destructor);
    sem_init(&set, 0, 0);
    pthread_t t = spawn(body);

    sem_wait(&set);
    if (joined)
        join(t);
    pthread_key_delete(key);
    if (!joined)
        join(t);
    assert(visible_read(ran) == (joined ? 1 : atoi(how)));
    return 0;
}
