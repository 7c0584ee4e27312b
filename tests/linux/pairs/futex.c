/* SPDX-License-Identifier: BSD-2-Clause
 *
 * futex.c - futexes: who waits for a change of the word is woken, or does not begin to wait. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <heddle/kernel.h>

static unsigned word;

static void setup(void) { word = 0; }
static void waits(void) { hd_call(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0)); }

static void wakes(void)
{
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    hd_call(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0));
}

const struct hd_kernel_test hd_kernel_test = { .setup = setup, .thread = { waits, wakes } };
