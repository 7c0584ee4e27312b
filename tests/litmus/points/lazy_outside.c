/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy_outside - two sections of a mutex share a buffer that only libc reads or writes, by
 * the function that the first argument names.
 *
 * Claim: one of the two orders does not happen (the second argument says which), which is
 * wrong.  Nothing announces what libc does: a search that takes the sections for independent
 * runs one order only. */
#include "../litmus.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *how;
static char buffer[16];
static int value, file;

static bool is(const char *name)
{
    return strcmp(how, name) == 0;
}

/* What it makes of the buffer, or what it finds there, tells who is first. */
static void use(char digit)
{
    if (is("snprintf"))
        snprintf(buffer, sizeof buffer, "%c", digit);
    else if (is("sscanf"))
        sscanf(digit == '1' ? "1" : "2", "%15s", buffer);
    else if (is("read"))
        assert(pread(file, buffer + (digit - '1'), 2, 0) == 2);
    else if (is("atoi") && digit == '1')
        value = atoi(buffer);
    else
        buffer[0] = digit;
}

static void *work(void *digit)
{
    pthread_mutex_lock(&mutex);
    use(*(char *)digit);
    pthread_mutex_unlock(&mutex);
    return digit;
}

/* 0 or 1, by the order of the sections. */
static int order(void)
{
    if (is("read")) /* the second begins where the first has put its second byte */
        return buffer[1] == 0x7f;
    if (is("atoi"))
        return value == 2;
    return buffer[0] == '2';
}

int main(int argc, char **argv)
{
    static char digits[] = "12";
    pthread_t thread[2];

    if (argc != 3)
        return 2;
    how = argv[1];
    if (is("read"))
        file = open("/proc/self/exe", O_RDONLY); /* begins with 0x7f, E */
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&thread[i], NULL, work, &digits[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(order() != atoi(argv[2]));
    return 0;
}
