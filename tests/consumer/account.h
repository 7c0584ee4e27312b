/* SPDX-License-Identifier: BSD-2-Clause
 *
 * account.h - the library of a project that uses Heddle: an account with a lock. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#ifdef __cplusplus
extern "C" {
#endif

void account_reset(void);
void account_add(int amount);
int account_balance(void);

#ifdef __cplusplus
}
#endif

#endif
