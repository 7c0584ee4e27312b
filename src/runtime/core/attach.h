/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attach.h - the connection to the conductor. */
#ifndef HD_RUNTIME_CORE_ATTACH_H
#define HD_RUNTIME_CORE_ATTACH_H

#include <stdbool.h>

/* Returns true if the process runs under Heddle.  Works also before libc is initialised. */
bool hd_under_heddle(void);
/* Maps the conductor's memory, unless this process has done so already.  Returns false if the
 * process does not run under Heddle. */
bool hd_attach(void);
/* Closes the descriptor of the conductor's memory.  The mapping stays. */
void hd_attach_close(void);

#endif
