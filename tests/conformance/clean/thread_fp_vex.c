/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_fp_vex.c - thread_fp_mxcsr.c with the other encoding of its instructions. */
#define NEEDED "avx"
#define CODE __attribute__((target("avx")))
#include "thread_fp_mxcsr.c"
