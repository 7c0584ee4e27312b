/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.c - IMAGE_MB megabytes of zeroed data, of which TOUCHED pages are
 * written in each execution: what putting them back costs. */
#include <pthread.h>
#include <stddef.h>

#ifndef IMAGE_MB
#define IMAGE_MB 0
#endif
#ifndef TOUCHED
#define TOUCHED 8
#endif

enum { PAGE = 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char image[((size_t)IMAGE_MB << 20) + (size_t)TOUCHED * PAGE];

static void *touch(void *arg)
{
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < TOUCHED; i++)
        image[i * (sizeof image / TOUCHED)]++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, touch, NULL);
    pthread_create(&b, NULL, touch, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
