/* SPDX-License-Identifier: BSD-2-Clause
 *
 * conversion.c - iconv_open makes libc load a library by itself. */
#include <iconv.h>
#include <string.h>

#include "state.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *convert(void *arg)
{
    char in[] = "na\xefve", out[64] = "";
    char *from = in, *to = out;
    size_t have = 5, room = sizeof out;
    iconv_t cd = iconv_open("UTF-8", "ISO-8859-1");

    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    assert(cd != (iconv_t)-1 && iconv(cd, &from, &have, &to, &room) == 0);
    assert(strcmp(out, "na\xc3\xafve") == 0);
    iconv_close(cd);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    assert(count == 0);
    pthread_create(&a, NULL, convert, NULL);
    pthread_create(&b, NULL, convert, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
