/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stdio_flockfile.c - a stream is held over several calls; another thread's output
 * waits; ftrylockfile fails meanwhile. */
#include "../conform.h"

static FILE *f;

static void *writer(void *arg)
{
    flockfile(f);
    IS(fputc('a', f), 'a');
    flockfile(f);
    IS(putc_unlocked('b', f), 'b');
    funlockfile(f);
    funlockfile(f);
    return arg;
}

static void *refused(void *arg)
{
    IS(ftrylockfile(f) != 0, 1);
    return arg;
}

int main(void)
{
    char *text;
    size_t size;

    f = open_memstream(&text, &size);
    IS(f != NULL, 1);
    flockfile(f);
    finish(start(refused, NULL));
    funlockfile(f);
    pthread_t t = start(writer, NULL);
    writer(NULL);
    finish(t);
    IS(ftrylockfile(f), 0);
    funlockfile(f);
    IS(fclose(f), 0);
    IS(size, 4);
    IS(text[0] == 'a' && text[1] == 'b' && text[2] == 'a' && text[3] == 'b', 1);
    free(text);
    return 0;
}
