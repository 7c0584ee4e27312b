/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tx_sites.h - which transactions of the program (RTM) were ever aborted: the verdict names the others, because the code
 * after an abort never ran. */
#ifndef HD_RUNTIME_WATCH_TX_SITES_H
#define HD_RUNTIME_WATCH_TX_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* A transaction begins here, or is aborted. */
void hd_tx_site(uint64_t pc, bool aborted);

#endif
