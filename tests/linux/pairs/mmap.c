/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mmap.c - memory: one looks at a page while the other one gives it back; it has its old or new contents. */
#include <stddef.h>
#include <sys/mman.h>

#include <heddle/kernel.h>

static volatile char *page;
static int seen;

static void setup(void)
{
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    hd_kernel_check(page != MAP_FAILED);
    page[0] = 'x';
}

static void looks(void) { seen = (int)hd_call(page[0]); }
static void discards(void) { hd_call(madvise((void *)page, 4096, MADV_DONTNEED)); }

static void check(void)
{
    hd_kernel_check(seen == 'x' || seen == 0);
    hd_kernel_check(page[0] == 0);
    munmap((void *)page, 4096);
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { looks, discards }, .check = check };
