/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.h - requests of the program through <heddle/linear.h>. */
#ifndef HD_RUNTIME_WATCH_LINEAR_H
#define HD_RUNTIME_WATCH_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "linear/record.h"

/* Call when the clients are about to start. names: separated by commas. */
void hd_linear_begin(const char *names, unsigned n);
/* From now on the operations of the running thread are those of this client.  Returns the client's name. */
const char *hd_linear_client(unsigned client);
/* Returns the client number of the running thread, or -1 if it is not a client. */
int hd_linear_self(void);
/* Returns 0 before the clients have begun, 1 while they run, 2 afterwards. */
int hd_linear_stage(void);
/* Call when all clients have ended. */
void hd_linear_joined(void);
void hd_linear_call(const char *text, uint64_t pc);
/* Returns one result after the other that the operation which has just returned has in sequential executions; NULL
 * after the last one.  Stores what was called, and its own result. */
const char *hd_linear_alternative(unsigned i, const char **call, const char **result);
/* The test takes this result for equal to that of the operation which has just returned. */
void hd_linear_accept(const char *result);
/* True if the client may end before its next operation, or after its last one (linear.c, N5). */
bool hd_linear_may_end(bool after);
/* Call when the function of the client has returned. */
void hd_linear_unfinished(void);
/* Call when a text was longer than what is recorded of it. */
void hd_linear_truncated(void);
void hd_linear_return(const char *text, enum hd_lin_end end, uint64_t pc);
/* A component of the state is changed; the running thread need not be a client. */
void hd_linear_change(const char *name, bool removes, const char *element, uint64_t pc);
/* Returns the record for the state, before the clients begin and after they have ended; NULL while they run. */
struct hd_lin_record *hd_linear_state(void);

#endif
