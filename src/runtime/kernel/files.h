/* SPDX-License-Identifier: BSD-2-Clause
 *
 * files.h - the open files of the target.
 *
 * Threads share three things: the numbers of descriptors (HD_STATE_DESCRIPTORS), the open file that
 * a descriptor and its duplicates refer to (the position), and the contents of a file, which
 * several open files may share.
 *
 * F1  Open files and contents are numbered in the order in which they are opened.  Opening is an
 *     operation on HD_STATE_DESCRIPTORS, unless there is only one thread: so the number depends on
 *     the equivalence class of the execution, not on the interleaving.
 * F2  A file that was opened by an unseen call, or before main, is identified by its descriptor
 *     number.  All contents of such files are one object.
 * F3  Pipes, sockets and the like are handled by io_wait.h: all of them are one object, and their
 *     use is recorded as a fact (model/fact.h).  channel.h says which of them are connected.
 * F4  Contents are recognised by their inode.  When a file has lost its last name and is closed, the file system may or
 *     may not give the inode to a new file.  So a file with a name never has the contents of one without. */
#ifndef HD_RUNTIME_KERNEL_FILES_H
#define HD_RUNTIME_KERNEL_FILES_H

#include <sys/types.h>

#include "runtime/core/object.h"
#include "runtime/kernel/shared_state.h"

/* Two numbers of state objects (model/state.h): `own` is the channel that this descriptor reads from, `other` the
 * one that it writes to.  They are equal if there is only one channel.  0: not known. */
struct hd_ends {
    uint16_t own, other;
};

/* Call when a descriptor was opened, duplicated or closed.  A negative fd is ignored. */
void hd_files_opened(int fd);
void hd_files_copied(int from, int to);
void hd_files_closed(int fd);

/* True if fd refers to the output that Heddle captures. */
bool hd_files_is_output(int fd);
/* True for pipes, sockets and files without a name in the file system (eventfd …), unless the program inherited
 * the descriptor at its start. */
bool hd_files_is_pipe(int fd);

/* True if both ends are in this program (io_wait.h, W1). hd_files_set_inner sets it for a new
 * descriptor, or clears it when it no longer holds. */
bool hd_files_is_inner(int fd);
void hd_files_set_inner(int fd, bool inner);
/* Call after a fork: no descriptor is inner any more. */
void hd_files_forked(void);

/* hd_files_place returns the place of the open file, hd_files_new_place a new place. */
uint16_t hd_files_place(int fd);
uint16_t hd_files_new_place(void);
/* Returns a descriptor of the open file at that place, or -1 if it was closed. */
int hd_files_at_place(uint16_t place);
/* hd_files_ends returns 0 (not known) if the number was reused without being seen, and after a
 * fork. */
struct hd_ends hd_files_ends(int fd);
void hd_files_set_ends(int fd, struct hd_ends ends);

/* Call when the running thread has mapped the file. */
void hd_files_mapped(int fd);
/* Returns the object for the position or the contents, which the caller is about to use; NULL if
 * threads share nothing there. */
struct hd_obj *hd_files_position(int fd);
struct hd_obj *hd_files_contents(int fd);
/* Returns the contents of the file with these numbers, which has a name or not (F4); NULL if the target has not opened
 * it. */
struct hd_obj *hd_files_contents_of(dev_t dev, ino_t ino, bool named);

/* Begins a call on the contents of an ordinary file that does not move the position:
 * HD_EV_STATE_READ or _WRITE.  If it returns true, hd_shared_end must follow. */
bool hd_files_contents_begin(enum hd_kind kind, int fd, uint64_t pc);

/* Call before a call that removes this name, or renames a file to a name that may exist.  hd_files_named must follow. */
void hd_files_removes(int dir, const char *path);
void hd_files_replaces(int dir, const char *from, int to_dir, const char *to);

/* Call when the operation that has just ended has looked up path. */
void hd_files_named(bool begun, const char *path, bool changed, uint64_t pc);
/* Call when the operation has changed or seen (HD_FLOW_*) which files exist.  All names form one
 * channel. */
void hd_files_flow(bool begun, unsigned told, uint64_t pc);
/* Like hd_files_flow, for opening a file with these flags. */
void hd_files_flow_open(bool begun, int flags, uint64_t pc);
/* Call when the program may read changes of files from now on (inotify).  Changes release through
 * the channel of names, and a read from an unknown channel acquires from it. */
void hd_files_watch(void);
bool hd_files_are_watched(void);
/* Call when the operation has written or read these contents (NULL: none).  Each file is a
 * channel. */
void hd_files_contents_flow(bool begun, struct hd_obj *contents, bool write, uint64_t pc);

#endif
