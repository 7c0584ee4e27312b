/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.h - requests of the program through <heddle/linear.h>. */
#ifndef HD_RUNTIME_WATCH_LINEAR_H
#define HD_RUNTIME_WATCH_LINEAR_H

#include <stdint.h>

#include "linear/record.h"

/* The clients are about to start.  names: separated by commas. */
void hd_linear_begin(const char *names, unsigned n);
/* The running thread is this client.  Returns its name. */
const char *hd_linear_client(unsigned client);
/* Returns the number of the running thread as a client, -1 if it is none. */
int hd_linear_self(void);
/* All clients have ended. */
void hd_linear_joined(void);
void hd_linear_call(const char *text, uint64_t pc);
void hd_linear_return(const char *text, enum hd_lin_end end, uint64_t pc);
/* Returns the record for the state at the end, or NULL before the clients have ended. */
struct hd_lin_record *hd_linear_state(void);

#endif
