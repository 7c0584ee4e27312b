/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lent [alone | others] - main locks a mutex twice, and another thread unlocks it in between.
 *
 * That is misuse by the thread that unlocks, and no deadlock: main goes on.  Alone: no thread
 * unlocks it, and main waits for itself forever.  Others: no thread unlocks it, while another
 * thread still runs. */
#include "../litmus.h"

#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *unlock(void *unused)
{
    pthread_mutex_unlock(&m);
    return unused;
}

static void *run(void *unused)
{
    visible_write(x, 1);
    visible_write(x, 2);
    return unused;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pthread_t t = 0;

    pthread_mutex_lock(&m);
    if (strcmp(how, "alone") != 0)
        t = spawn(strcmp(how, "others") == 0 ? run : unlock);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    join(t);
    return 0;
}
