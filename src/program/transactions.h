/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transactions.h - replaces transactional instructions (xbegin, xend, xabort, xtest) in the text that a compiler
 * passes to the assembler by calls of the runtime (runtime/watch/transaction.h), so that the processor never
 * executes them.  It also replaces cpuid, so that the program sees a processor with transactions, and transactional
 * instructions written as bytes (.byte), for assemblers that do not know them.  Other forms (files that the
 * assembler includes, bytes as strings) are not replaced: the scan of the linked code reports them. */
#ifndef HD_PROGRAM_TRANSACTIONS_H
#define HD_PROGRAM_TRANSACTIONS_H

#include <stdbool.h>

/* Returns the text with the calls, to be freed; NULL if there is nothing to replace.  Sets *failed if
 * there is no memory. */
char *hd_transactions_replace(const char *text, bool *failed);

#endif
