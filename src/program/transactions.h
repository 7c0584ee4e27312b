/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transactions.h - replaces transactional instructions (xbegin, xend, xabort, xtest) in the text that a compiler
 * passes to the assembler by calls of the runtime (runtime/watch/transaction.h), so that the processor never
 * executes them.  It also replaces cpuid, so that the program sees a processor with transactions, and the
 * encodings as .byte that programs use for assemblers that do not know the instructions.  Other forms (Intel
 * syntax, other encodings) are not replaced: the scan of the code finds them. */
#ifndef HD_PROGRAM_TRANSACTIONS_H
#define HD_PROGRAM_TRANSACTIONS_H

#include <stdbool.h>

/* Returns the text with the calls, to be freed; NULL if there is nothing to replace.  Sets *failed if
 * there is no memory. */
char *hd_transactions_replace(const char *text, bool *failed);

#endif
