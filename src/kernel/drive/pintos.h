/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pintos.h - builds a student's tree of Pintos so that its kernel can be tested: `heddle kernel pintos DIR`.
 *
 * The tree itself is never changed.  It is copied; in the copy a time slice is one tick, and the page allocator says
 * which pages are in use; and its project "threads" is built with flags that today's compilers need.  The kernel is
 * kept under a name with the hash of all sources, so it is built again if, and only if, one of them has changed. */
#ifndef HD_KERNEL_DRIVE_PINTOS_H
#define HD_KERNEL_DRIVE_PINTOS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct hd_pintos {
    char src[PATH_MAX];    /* directory that contains threads and devices */
    char kernel[PATH_MAX]; /* the ELF file */
    char *tests;           /* text of tests/threads/tests.c */
};

/* dir: the tree, its `src`, or a directory in it.  Returns false after a message on standard error. */
bool hd_pintos_build(struct hd_pintos *p, const char *dir, const char *out_dir);
/* Checks that the kernel has this test, and that it can be explored.  Returns false after a message. */
bool hd_pintos_has_test(const struct hd_pintos *p, const char *test);
/* Names the Nth test that is run if none is named; NULL: no more.  Tests that the kernel does not have are skipped. */
const char *hd_pintos_test(const struct hd_pintos *p, unsigned nth);
void hd_pintos_free(struct hd_pintos *p);

#endif
