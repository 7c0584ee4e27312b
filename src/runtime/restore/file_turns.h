/* SPDX-License-Identifier: BSD-2-Clause
 *
 * file_turns.h - serialises the workers (-j) of a program that changes files.
 *
 * All workers share the same files.  As long as no execution has changed a file, workers run in
 * parallel.  The first execution that is about to change one is abandoned before it does so, and
 * starts again.  From then on:
 *
 * T1  An execution begins when its worker has the turn and no other worker is in an execution that
 *     began without the turn.
 * T2  The turn ends when the files are restored.  The worker restores them; if it has died, its zygote does, and if
 *     that has died, the next zygote does.
 * T3  The conductor takes the turn for another target that it starts in between (for example to
 *     confirm a finding).  With a single worker, this is the only reason to take turns. */
#ifndef HD_RUNTIME_RESTORE_FILE_TURNS_H
#define HD_RUNTIME_RESTORE_FILE_TURNS_H

#include <stdbool.h>

/* Call before an execution.  Returns false if the search is to stop; then nothing has begun. */
bool hd_turn_begin(void);
/* Call after an execution, when the files are restored. */
void hd_turn_end(void);
/* Call when the execution is about to change a file.  Does not return if the execution has to start
 * again. */
void hd_turn_for_files(void);

#endif
