/* SPDX-License-Identifier: BSD-2-Clause
 *
 * random_device.c - the devices of random numbers, opened in each way that there is,
 * give numbers that differ from one opening to the next.  What is done then may depend
 * on them: the execution can be repeated. */
#include <fcntl.h>
#include <unistd.h>

#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static uint64_t from_descriptor(int fd)
{
    uint64_t word;

    IS(fd >= 0, 1);
    IS(read(fd, &word, sizeof word), sizeof word);
    IS(close(fd), 0);
    return word;
}

static uint64_t from_stream(const char *path)
{
    uint64_t word;
    FILE *f = fopen(path, "rb");

    IS(f != NULL, 1);
    IS(fread(&word, sizeof word, 1, f), 1);
    IS(fclose(f), 0);
    return word;
}

static void *worker(void *arg)
{
    uint64_t words[] = {
        from_descriptor(open("/dev/urandom", O_RDONLY)),
        from_descriptor(open("/dev/random", O_RDONLY | O_CLOEXEC)),
        from_descriptor(openat(AT_FDCWD, "/dev/urandom", O_RDONLY)),
        from_stream("/dev/urandom"),
    };

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++)
            IS(words[i] != words[k], 1);
    for (uint64_t i = 0; i <= words[3] % 2; i++) {
        IS(pthread_mutex_lock(&m), 0);
        IS(pthread_mutex_unlock(&m), 0);
    }
    return arg;
}

int main(void)
{
    worker(NULL);
    pthread_t t = start(worker, NULL);

    IS(pthread_mutex_lock(&m), 0); /* opening files in both would be orders in plenty */
    IS(pthread_mutex_unlock(&m), 0);
    finish(t);
    return 0;
}
