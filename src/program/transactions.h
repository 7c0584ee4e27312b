/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transactions.h - replaces transactional instructions (xbegin, xend, xabort, xtest) in the text that a
 * compiler passes to the assembler by calls of the runtime (runtime/watch/transaction.h), so that none
 * reaches the processor.  So is cpuid, which then says that there are transactions.  Also replaced are the encodings as .byte that programs use for assemblers
 * which do not know the instructions.  What is left (text in Intel syntax, other encodings) stays as it
 * is: the scan of the code finds it. */
#ifndef HD_PROGRAM_TRANSACTIONS_H
#define HD_PROGRAM_TRANSACTIONS_H

#include <stdbool.h>

/* Returns the text with the calls, to be freed; NULL if there is nothing to replace.  Sets *failed if
 * there is no memory. */
char *hd_transactions_replace(const char *text, bool *failed);

#endif
