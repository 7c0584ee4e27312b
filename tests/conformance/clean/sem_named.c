/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sem_named.c - named semaphores: exclusive creation, one address per name, unlink and
 * close. */
#include <fcntl.h>
#include <semaphore.h>
#include <unistd.h>

#include "../conform.h"

static sem_t *s;

static void *poster(void *arg)
{
    IS(sem_post(s), 0);
    return arg;
}

int main(void)
{
    char name[64];

    snprintf(name, sizeof name, "/heddle-conformance-%ld", (long)getpid());
    sem_unlink(name);
    IS(sem_open(name, 0) == SEM_FAILED && errno == ENOENT, 1);
    s = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    IS(s != SEM_FAILED, 1);
    IS(sem_open(name, O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST, 1);
    IS(sem_open(name, 0) == s, 1);
    IS(sem_close(s), 0);
    pthread_t t = start(poster, NULL);
    IS(sem_wait(s), 0);
    finish(t);
    IS(sem_unlink(name), 0);
    FAILS(sem_unlink(name), ENOENT);
    FAILS(sem_trywait(s), EAGAIN);
    IS(sem_close(s), 0);
    return 0;
}
