/* SPDX-License-Identifier: BSD-2-Clause
 *
 * loads.h - does the dynamic linker find all that a program needs?  What is missing shows
 * only when it is tried: paths come from the program, its libraries, the environment and
 * the machine's cache. */
#ifndef HD_PROGRAM_LOADS_H
#define HD_PROGRAM_LOADS_H

#include "program/elf_info.h"

/* How Heddle's runtime gets into such a program, relative to the prefix (paths.h): a
 * library to preload for HD_ELF_RT_NONE, else a directory to search first. */
const char *hd_runtime_part(enum hd_elf_runtime runtime);

/* Let the program's dynamic linker look for its libraries, as a run does; no code of the
 * program runs.  False when one is missing: then problem and remedy say which. */
bool hd_loads(struct hd_elf_info *info);

/* The same, and each library that is found is told. */
typedef void hd_loads_fn(const char *path, void *arg);
bool hd_loads_each(struct hd_elf_info *info, hd_loads_fn *fn, void *arg);

#endif
