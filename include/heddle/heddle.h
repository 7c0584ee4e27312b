/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle.h - what a program may tell Heddle.  Nothing here is needed: programs
 * are tested as they are.
 *
 * The functions are inline wrappers around weak symbols of the runtime, so a
 * program that uses them compiles and runs everywhere: without Heddle they do
 * nothing, and no library has to be linked. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side; absent (null) when the program does not run under Heddle.
 * Call the functions below instead. */
__attribute__((weak)) extern unsigned heddle_rt_choose(unsigned n);
__attribute__((weak)) extern void heddle_rt_point(const char *name);
__attribute__((weak)) extern int heddle_rt_active(void);

/* Whether Heddle controls this program: 1, or 0 in an ordinary run. */
static inline int heddle_active(void)
{
    return heddle_rt_active != 0 ? heddle_rt_active() : 0;
}

/* One of 0 … n-1.  Heddle explores every alternative just as it explores every
 * order of threads, and the schedule of a finding records which one was taken.
 * Use it for what the environment decides: a failing call, a message that
 * arrives or not.  n is between 1 and 65,535; an ordinary run always gets 0. */
static inline unsigned heddle_choose(unsigned n)
{
    return heddle_rt_choose != 0 && n > 1 ? heddle_rt_choose(n) : 0;
}

/* A place where another thread may be scheduled, in code that has no
 * synchronisation Heddle could see (inline assembly, for example).  The name is
 * shown in reports; it must live as long as the program. */
static inline void heddle_point(const char *name)
{
    if (heddle_rt_point != 0)
        heddle_rt_point(name);
}

#ifdef __cplusplus
}
#endif

#endif
