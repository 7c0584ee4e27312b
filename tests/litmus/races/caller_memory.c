/* SPDX-License-Identifier: BSD-2-Clause
 *
 * caller_memory - what functions of libc read and write in memory of the caller.  One thread calls
 * the function named by the first word.  The other thread touches memory that the function uses
 * ("inside"), the nearest memory that it does not use ("beside"), or, under a common lock, the
 * former again ("locked"). */
#define _GNU_SOURCE
#include "races.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <iconv.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>
#include <time.h>

static char text[64] = "12345 word rest";
static char out[64];
static int values[16] = { 3, 1, 2 };
static wchar_t wide[8] = L"wide";
static const wchar_t *volatile abc = L"abc";
static regex_t pattern;
static regmatch_t match[2];
static iconv_t encoding;
static double whole;
static int nine = 9;
static size_t count = 3;
static sigset_t signals;
static struct tm date;
static struct stat status;
static char *rest;
static int ends[2];
static FILE *file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long result; /* keeps a call whose result is not needed */
static bool io;              /* the function reads or writes a file */
static char *used, *unused; /* a byte that the function uses, and one that it does not */

static int by_list(char *to, size_t n, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    int length = vsnprintf(to, n, fmt, ap);
    va_end(ap);
    return length;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void one(char *in, char *outside)
{
    used = in;
    unused = outside;
}

/* The accesses of each function.  It is called with go = false first, to name them. */
static bool call(const char *name, bool go)
{
    struct iovec parts[2] = { { out, 2 }, { out + 8, 4 } };
    time_t zero = 0;
    size_t room = 0, bytes = 2;
    char two[] = "ab", *from = two, *to = out;

    if (strcmp(name, "iconv") == 0)
        room = sizeof out;

#define IS(word, in, beside, does)          \
    if (strcmp(name, word) == 0) {          \
        if (go)                             \
            result = (long)(does);          \
        else                                \
            one((char *)(in), (char *)(beside)); \
        return true;                        \
    }
#define IO(word, in, beside, does)          \
    io |= strcmp(name, word) == 0;          \
    IS(word, in, beside, does)
    IS("sprintf", out + 5, out + 6, sprintf(out, "%d", 12345))
    IS("snprintf", out + 3, out + 4, snprintf(out, 4, "%d", 12345))
    IS("literal", out + 1, out + 2, sprintf(out, "x"))
    IS("vsnprintf", out + 2, out + 3, by_list(out, 60, "%02d", 7))
    IS("argument", text + 15, text + 16, snprintf(out, 60, "%5d%% %-*s", 7, 3, text))
    IS("precision", text + 2, text + 3, snprintf(out, 60, "%Lf %.*s", 1.0L, 3, text))
    IS("printf", text + 15, text + 16, printf("%c%ld%s", 'a', 7L, text))
    IS("fprintf", text + 15, text + 16, fprintf(stderr, "%s", text))
    IS("fputs", text + 15, text + 16, fputs(text, stderr))
    IS("fwrite", text + 4, text + 5, fwrite(text, 1, 5, stderr))
    IS("sscanf", &values[1], &values[2], sscanf("4 5 x", "%d %d %d", &values[0], &values[1], &values[2]))
    IS("strtol", text + 5, text + 6, strtol(text, NULL, 10))
    IS("end", &rest, text + 6, strtod(text, &rest))
    IS("atoi", text + 4, text + 6, atoi(text))
    IS("strcasecmp", text + 2, text + 3, strcasecmp(text, "12x"))
    IS("strtok_r", text + 5, text + 6, strtok_r(text, " ", &rest))
    IS("saved", &rest, text + 6, strtok_r(text, " ", &rest))
    IS("qsort", &values[2], &values[3], (qsort(values, 3, sizeof values[0], ascending), 0))
    IS("gmtime_r", &date.tm_year, out, gmtime_r(&zero, &date))
    IS("strftime", out + 4, out + 5, strftime(out, 60, "%Y", &date))
    IS("inet_ntop", out + 7, out + 8, inet_ntop(AF_INET, "\1\2\3\4", out, 60))
    IS("wcscpy", wide + 3, wide + 4, wcscpy(wide, abc))
    IS("wcsncpy", wide + 5, wide + 6, wcsncpy(wide, abc, 6))
    IS("wmemset", wide + 2, wide + 3, wmemset(wide, L'x', 3))
    IS("wcscmp", wide + 1, wide + 2, wcscmp(wide, L"wax"))
    IS("wcschr", wide + 1, wide + 2, wcschr(wide, L'i'))
    IS("swprintf", wide + 5, wide + 6, swprintf(wide, 8, L"%d", 12345))
    IS("mbstowcs", wide + 4, wide + 5, mbstowcs(wide, "four", 8))
    IS("modf", &whole, out, modf(values[0] + 0.5, &whole))
    IS("frexp", &values[1], &values[2], frexp(values[0], &values[1]))
    IS("rand_r", &values[1], &values[2], rand_r((unsigned *)&values[1]))
    IS("sigaddset", &signals, out, sigaddset(&signals, SIGUSR1))
    IS("strsep", text + 5, text + 6, (rest = text, strsep(&rest, " ")))
    IS("tsearch", &rest, out, tsearch(&values[0], (void **)&rest, ascending))
    IS("lsearch", &values[3], &values[4], lsearch(&nine, values, &count, sizeof nine, ascending))
    IS("lfind", &values[2], &values[3], lfind(&nine, values, &count, sizeof nine, ascending))
    IS("regexec", &match[0], &match[1], regexec(&pattern, text, 1, match, 0))
    IS("iconv", out + 3, out + 4, iconv(encoding, &from, &bytes, &to, &room))
    IO("write", text + 4, text + 5, write(ends[1], text, 5))
    IO("read", out + 4, out + 5, read(ends[0], out, 60))
    IO("readv", out + 8, out + 7, readv(ends[0], parts, 2))
    IO("fgets", out + 4, out + 5, fgets(out, 60, file))
    IO("fread", out + 3, out + 4, fread(out, 2, 2, file))
    IO("getline", &rest, out, getline(&rest, &room, file))
    IO("pread", out + 3, out + 4, pread(fileno(file), out, 4, 0))
    IS("stat", &status.st_size, out, stat("/", &status))
#undef IS
#undef IO
    return false;
}

static void *calls(void *name)
{
    if (is("locked"))
        pthread_mutex_lock(&lock);
    call(name, true);
    if (is("locked"))
        pthread_mutex_unlock(&lock);
    return NULL;
}

static void *touches(void *arg)
{
    if (is("locked"))
        pthread_mutex_lock(&lock);
    if (is("beside"))
        PUT(*unused, 1);
    else
        PUT(*used, *used);
    if (is("locked"))
        pthread_mutex_unlock(&lock);
    return arg;
}

static FILE *lines(void)
{
    FILE *f = tmpfile();

    fputs("abc\ndef\n", f);
    fflush(f);
    rewind(f);
    return f;
}

int main(int argc, char **argv)
{
    pthread_t caller, other;

    if (argc < 3 || !call(argv[1], false))
        return 99;
    variant = argv[2];
    encoding = iconv_open("UCS-2", "UTF-8"); /* both are built into libc */
    if (encoding == (iconv_t)-1 || regcomp(&pattern, "w.*d", 0) != 0)
        return 99;
    if (io && (pipe(ends) != 0 || write(ends[1], "hello", 5) != 5 || (file = lines()) == NULL))
        return 99;
    pthread_create(&caller, NULL, calls, argv[1]);
    pthread_create(&other, NULL, touches, NULL);
    pthread_join(caller, NULL);
    pthread_join(other, NULL);
    return 0;
}
