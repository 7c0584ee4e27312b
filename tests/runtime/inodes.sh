#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# inodes.sh - files are told apart although the file system uses inodes again: else an operation would concern another
# object whenever somebody else has taken the inode, and the program would not repeat itself.
. "$(dirname "$0")/common.shlib"
need gcc

# written WAY NUMBER: the number of the file in which the thread writes
written() {
    rm -f "$work/a" "$work/b" "$work/c"
    (cd "$work" && "$HEDDLE" run --minimize off --progress none -o found ./inodes "$1") >"$work/said" 2>&1
    same "way $1" "$2" "$(sed -n 's/.* use contents of file #\([0-9]*\) .*/\1/p' "$work/said" | tail -n 1)"
}

build inodes inodes.c -g -O1 || finish
written 0 2
written 1 2
written 2 3
written 3 1
written 4 1
written 5 1
finish
