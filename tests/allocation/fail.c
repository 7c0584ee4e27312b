/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fail.c - preloaded into the tool: allocation number HEDDLE_FAIL_AT fails.  Those of the tool
 * itself and of libc on its behalf are counted, not those of other libraries: libdw crashes
 * without memory.  The number of all is written to the file HEDDLE_FAIL_COUNT at exit.  Children of
 * the tool run without it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t each);
void *__libc_realloc(void *p, size_t n);

static unsigned long at, count;
static struct {
    ElfW(Addr) lo, hi;
} tool, libc;

static int find(struct dl_phdr_info *info, size_t size, void *arg)
{
    ElfW(Addr) hi = 0;

    (void)size;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            hi = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (tool.hi == 0) { /* the first one */
        tool.lo = info->dlpi_addr;
        tool.hi = hi;
    } else if (strstr(info->dlpi_name, "/libc.so") != NULL) {
        libc.lo = info->dlpi_addr;
        libc.hi = hi;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *n = getenv("HEDDLE_FAIL_AT");

    dl_iterate_phdr(find, NULL);
    unsetenv("LD_PRELOAD");
    at = n != NULL ? strtoul(n, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("HEDDLE_FAIL_COUNT");
    int fd = path != NULL && at != 0 ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

    if (fd >= 0)
        dprintf(fd, "%lu\n", count);
}

static int fails(const void *caller)
{
    ElfW(Addr) pc = (ElfW(Addr))caller;

    if (at == 0 || !((pc >= tool.lo && pc < tool.hi) || (pc >= libc.lo && pc < libc.hi)))
        return 0;
    if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t each)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, each);
}

void *realloc(void *p, size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}
