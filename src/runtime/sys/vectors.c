/* SPDX-License-Identifier: BSD-2-Clause
 *
 * vectors.c - how the vector registers are saved (vectors_x86_64.h). */
#include <cpuid.h>
#include <stdbool.h>

extern bool hd_has_xsave;

/* Set before main: true if the processor and the kernel support xsave. */
bool hd_has_xsave;

__attribute__((constructor)) static void look_for_xsave(void)
{
    unsigned a, b, c = 0, d;

    hd_has_xsave = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) != 0;
}
