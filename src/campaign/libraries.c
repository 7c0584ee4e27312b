/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libraries.c - selects the libraries that are loaded into a program. */
#include "campaign/libraries.h"

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

bool hd_libraries_set(const struct hd_session *s, struct hd_launch *l, struct hd_libraries *lib)
{
    char each[4096] = "";
    bool linked = s->elf.runtime != HD_ELF_RT_NONE;

    if (!find_part(hd_runtime_part(s->elf.runtime), lib->runtime, sizeof lib->runtime) ||
        (s->preloads_test && !find_part(HD_LIB_EACH, each, sizeof each)))
        return false;
    snprintf(lib->preload, sizeof lib->preload, "%s%s%s", linked ? "" : lib->runtime,
             !linked && s->preloads_test ? ":" : "", each);
    if (lib->preload[0] != '\0')
        l->preload = lib->preload;
    if (linked)
        l->library_path = lib->runtime;
    if (s->preloads_test)
        l->test = s->test;
    return true;
}
