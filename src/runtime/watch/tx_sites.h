/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_sites.h - records which transactions (RTM) were aborted in any execution.  The verdict names the others,
 * because their code after an abort never ran. */
#ifndef HD_RUNTIME_WATCH_TX_SITES_H
#define HD_RUNTIME_WATCH_TX_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* Call when a transaction begins here, or is aborted. */
void hd_tx_site(uint64_t pc, bool aborted);

#endif
