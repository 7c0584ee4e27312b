/* SPDX-License-Identifier: BSD-2-Clause
 *
 * paths.h - the locations of Heddle's parts.  They are relative to the running executable,
 * so that the build tree, an installation and a copy of either work without configuration.
 *
 *     bin/heddle
 *     include/heddle/heddle.h
 *     lib/libheddle.so             the runtime
 *     share/heddle/gdb/load.py     the extension for gdb
 *     lib/tsan/libtsan.so.2        the runtime under the name that gcc's programs need
 *     lib/tsan/libclang_rt.tsan-x86_64.so   the same for clang's programs
 *     lib/tsan/link/libtsan.so     found by -ltsan when `heddle cc` links
 *     lib/clang/as                 a link to bin/heddle, which clang starts as its assembler
 *     lib/libheddle-each.so        for test programs, with --each
 *     lib/libheddle-noise.so       for --strategy noise
 *     lib/libheddle-kernel.so      the plugin for QEMU
 *     lib/libheddle-guest.a        for tests inside Linux */
#ifndef HD_PROGRAM_PATHS_H
#define HD_PROGRAM_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#define HD_LIB_RUNTIME "lib/libheddle.so"
#define HD_LIB_TSAN_DIR "lib/tsan"
#define HD_LIB_TSAN_GCC HD_LIB_TSAN_DIR "/libtsan.so.2"
#define HD_LIB_TSAN_CLANG HD_LIB_TSAN_DIR "/libclang_rt.tsan-x86_64.so"
#define HD_LIB_CLANG_DIR "lib/clang"
#define HD_LIB_EACH "lib/libheddle-each.so"
#define HD_LIB_NOISE "lib/libheddle-noise.so"
#define HD_LIB_KERNEL "lib/libheddle-kernel.so"
#define HD_LIB_GUEST "lib/libheddle-guest.a"
#define HD_INCLUDE_DIR "include"
#define HD_SHARE_GDB "share/heddle/gdb/load.py"
#define HD_LIB_LINK_DIR HD_LIB_TSAN_DIR "/link"

/* Computes the absolute path of a part, given relative to the prefix ("lib/libheddle.so").  Returns
 * false if the prefix cannot be found or cap is too small. */
bool hd_path_of(const char *part, char *buf, size_t cap);

/* True if the program is below the current directory, so that a schedule may choose it. */
bool hd_path_is_inside(const char *program);

#endif
