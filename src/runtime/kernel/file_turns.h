/* SPDX-License-Identifier: BSD-2-Clause
 *
 * file_turns.h - several workers (-j) of a program that changes files.
 *
 * All of them have the same files.  As long as no execution has changed one they run side by side;
 * the first that is about to is given up before it does, and begun again.  From then on
 *
 * T1  an execution begins when its worker has the turn and no other is in one that began without;
 * T2  the turn ends when the files are as they were: in the worker after it has put them back, else
 *     in its zygote, or in the one that takes that one's place.
 * T3  The conductor takes the turn for another target that it starts meanwhile (a second look);
 *     with one worker turns are taken for that reason alone. */
#ifndef HD_RUNTIME_KERNEL_FILE_TURNS_H
#define HD_RUNTIME_KERNEL_FILE_TURNS_H

#include <stdbool.h>

/* Before an execution.  False: the search is to stop, and nothing was begun. */
bool hd_turn_begin(void);
/* All is as it was before it. */
void hd_turn_end(void);
/* The execution is about to change a file. */
void hd_turn_for_files(void);

#endif
