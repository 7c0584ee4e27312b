/* SPDX-License-Identifier: BSD-2-Clause
 *
 * image.c - IMAGE_MB megabytes of zeroed data, of which 8 pages are written. */
#include "state.h"

#ifndef IMAGE_MB
#define IMAGE_MB 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char image[(IMAGE_MB << 20) + 8 * 4096];

static void *touch(void *arg)
{
    for (size_t i = 0; i < 8; i++) {
        unsigned char *p = &image[i * (sizeof image / 8) + (size_t)(uintptr_t)arg];

        pthread_mutex_lock(&mutex);
        assert(*p == 0);
        *p = 1;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, touch, (void *)1);
    pthread_create(&b, NULL, touch, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
