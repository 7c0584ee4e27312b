/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomics.h - libuv's two helpers of src/unix/atomic-ops.h, included ahead of it.
 *
 * On x86 libuv writes its compare-and-swap in assembly, which no instrumentation sees.
 * This is what that header does on every other machine: the compiler's builtin.  The
 * library's own file is left out because its include guard is set already. */
#ifndef UV_ATOMIC_OPS_H_
#define UV_ATOMIC_OPS_H_

__attribute__((unused)) static int cmpxchgi(int *word, int from, int to)
{
    return __sync_val_compare_and_swap(word, from, to);
}

__attribute__((unused)) static void cpu_relax(void)
{
}

#endif
