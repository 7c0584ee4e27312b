/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libraries.c - selects the libraries that are loaded into a program. */
#include "campaign/session/libraries.h"

#include <stdio.h>
#include <unistd.h>

#include "program/loads.h"
#include "program/paths.h"

static bool find_part(const char *part, char *path, size_t cap)
{
    if (hd_path_of(part, path, cap) && access(path, R_OK) == 0)
        return true;
    fprintf(stderr, "heddle: the library %s is missing; is the installation complete?\n", part);
    return false;
}

bool hd_libraries_set(struct hd_libraries *lib, const struct hd_elf_info *elf, const char *test,
                      struct hd_launch *l)
{
    char each[4096] = "";
    bool linked = elf->runtime != HD_ELF_RT_NONE;

    if (!find_part(hd_runtime_part(elf->runtime), lib->runtime, sizeof lib->runtime) ||
        (test != NULL && !find_part(HD_LIB_EACH, each, sizeof each)))
        return false;
    snprintf(lib->preload, sizeof lib->preload, "%s%s%s", linked ? "" : lib->runtime,
             !linked && test != NULL ? ":" : "", each);
    if (lib->preload[0] != '\0')
        l->preload = lib->preload;
    if (linked)
        l->library_path = lib->runtime;
    l->test = test;
    return true;
}
