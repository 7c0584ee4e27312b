/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.h - what is behind the descriptors of the target.
 *
 * Threads meet in three things: the numbers of descriptors (HD_STATE_DESCRIPTORS), the
 * open file that a descriptor and its copies stand for (where the next read begins), and
 * the contents of a file, which several open files may share.
 *
 * F1  Open files and contents are numbered in the order in which they are opened.  Whoever
 *     opens one holds the turn for HD_STATE_DESCRIPTORS, or is alone: so the number
 *     depends on the class of executions, not on the interleaving.
 * F2  What was opened by a call that nobody sees, or before main, is known by the number
 *     of its descriptor, and all contents of that kind are one object.
 * F3  Pipes, sockets and the like are io_wait.h's: one object, and a fact.  Which of them
 *     lead to each other is known as far as channel.h says. */
#ifndef HD_RUNTIME_KERNEL_FILES_H
#define HD_RUNTIME_KERNEL_FILES_H

#include <sys/types.h>

#include "runtime/kernel/shared_state.h"

/* Two places of the numbering (model/state.h): what goes into this end, and what into the other
 * one, comes out here; both are the same where there is one end only.  0: not known. */
struct hd_ends {
    uint16_t own, other;
};

/* A descriptor has come, is a copy of another, or is gone; a negative one is none. */
void hd_files_opened(int fd);
void hd_files_copied(int from, int to);
void hd_files_closed(int fd);

/* Does it lead to the output that Heddle captures? */
bool hd_files_is_output(int fd);
/* Pipes, sockets and what has no name in the file system (eventfd …), unless the program
 * was started with it. */
bool hd_files_is_pipe(int fd);

/* Both ends are in this program (io_wait.h, W1): it was made so, or nothing can be said of it
 * any longer. */
bool hd_files_is_inner(int fd);
void hd_files_set_inner(int fd, bool inner);
/* From now on nothing is. */
void hd_files_forked(void);

/* Its place among open files; another one that nothing has. */
uint16_t hd_files_place(int fd);
uint16_t hd_files_new_place(void);
/* A descriptor that stands for it; -1: there is none any more. */
int hd_files_at_place(uint16_t place);
/* Not known (0) when the number has come to mean something else, unseen; and after a fork. */
struct hd_ends hd_files_ends(int fd);
void hd_files_set_ends(int fd, struct hd_ends ends);

/* NULL when there is nothing to meet in. */
struct hd_obj *hd_files_position(int fd);
struct hd_obj *hd_files_contents(int fd);
/* Of the file that stat says this of, if the target has opened it. */
struct hd_obj *hd_files_contents_of(dev_t dev, ino_t ino);

/* A call on the contents of an ordinary file, which does not move the position:
 * HD_EV_STATE_READ or _WRITE.  True: hd_shared_end must follow it. */
bool hd_files_contents_begin(enum hd_kind kind, int fd, uint64_t pc);

/* The operation that has just ended has found its file by path. */
void hd_files_named(bool begun, const char *path, bool changed, uint64_t pc);
/* It has told (HD_FLOW_*) which files there are, or learnt that: names are one channel. */
void hd_files_flow(bool begun, unsigned told, uint64_t pc);
/* The same, by opening one with these flags. */
void hd_files_flow_open(bool begun, int flags, uint64_t pc);
/* From now on changes of files may be read (inotify): they tell by the channel of names, and who
 * reads what nobody knows the channel of learns by it. */
void hd_files_watch(void);
bool hd_files_are_watched(void);
/* It has written these contents, or read them (NULL: none): each file is a channel. */
void hd_files_contents_flow(bool begun, struct hd_obj *contents, bool write, uint64_t pc);

#endif
