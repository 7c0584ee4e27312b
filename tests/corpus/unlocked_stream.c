/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unlocked_stream.c - two threads write to a stream by functions that do not lock it.
 *   LOCKED  each holds the stream by flockfile: correct */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *stream;

static void *writes(void *arg)
{
#ifdef LOCKED
    flockfile(stream);
#endif
    fputs_unlocked("ab", stream);
    (putc_unlocked)('c', stream);
#ifdef LOCKED
    funlockfile(stream);
#endif
    return arg;
}

int main(void)
{
    pthread_t other;
    char *text;
    size_t n;

    stream = open_memstream(&text, &n);
    pthread_create(&other, NULL, writes, NULL);
    writes(NULL);
    pthread_join(other, NULL);
    fclose(stream);
    assert(strcmp(text, "abcabc") == 0);
    return 0;
}
