/* SPDX-License-Identifier: BSD-2-Clause
 *
 * attach.h - the connection to the conductor. */
#ifndef HD_RUNTIME_CORE_ATTACH_H
#define HD_RUNTIME_CORE_ATTACH_H

#include <stdbool.h>

/* Is the process under Heddle?  Answered also before libc is initialised. */
bool hd_under_heddle(void);
/* Attach to the conductor's memory, unless that is done; false when not under Heddle. */
bool hd_attach(void);
/* The descriptor of that memory is needed no longer. */
void hd_attach_close(void);

#endif
