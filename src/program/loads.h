/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loads.h - checks whether the dynamic linker finds all libraries of a program.  Only the linker
 * itself can decide this, because paths come from the program, its libraries, the environment and
 * the machine's cache. */
#ifndef HD_PROGRAM_LOADS_H
#define HD_PROGRAM_LOADS_H

#include "program/elf_info.h"

/* Returns the part of Heddle through which the runtime gets into such a program, relative to the
 * prefix (paths.h): a library to preload for HD_ELF_RT_NONE, otherwise a directory to search first. */
const char *hd_runtime_part(enum hd_elf_runtime runtime);

/* Lets the program's dynamic linker look for its libraries as in a run.  No code of the program
 * runs.  Returns false if a library is missing; problem and remedy then name it. */
bool hd_loads(struct hd_elf_info *info);

/* Like hd_loads, and calls fn for each library found. */
typedef void hd_loads_fn(const char *path, void *arg);
bool hd_loads_each(struct hd_elf_info *info, hd_loads_fn *fn, void *arg);

#endif
