/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit.h - the end of the process as the model sees it: exit begins (once), its
 * handlers run as ordinary code of that thread, and the kill comes last. */
#ifndef HD_RUNTIME_CALLS_EXIT_H
#define HD_RUNTIME_CALLS_EXIT_H

#include <stdint.h>

void hd_exit_init(void);
/* exit(code) by the running thread: handlers, then the end. */
_Noreturn void hd_exit_run(int code, uint64_t pc);
/* The same without handlers: _exit(code). */
_Noreturn void hd_exit_at_once(int code, uint64_t pc);
/* Given to libc as rtld_fini: the last of all exit handlers. */
void hd_exit_last(void);

#endif
