/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit.h - models the end of the process.  Exit begins once.  Its handlers run as ordinary code of
 * the thread that called exit.  The end of the process comes last. */
#ifndef HD_RUNTIME_CALLS_EXIT_H
#define HD_RUNTIME_CALLS_EXIT_H

#include <stdint.h>

void hd_exit_init(void);
/* exit(code) by the running thread: runs the exit handlers, then ends the process. */
void hd_exit_run(int code, uint64_t pc)
    __attribute__((noreturn)); /* not _Noreturn: clang keeps it out of the type, and a table of callbacks needs it */
/* _exit(code): ends the process without running exit handlers. */
_Noreturn void hd_exit_at_once(int code, uint64_t pc);
/* The last of all exit handlers: the runtime passes it to libc as rtld_fini. */
void hd_exit_last(void);

#endif
