/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library.c - see library.h. */
#include "serve/library.h"

#include <dlfcn.h>
#include <stdio.h>

#define LIBRARY "libmicrohttpd.so.12"

const struct hd_mhd *hd_mhd_load(char *error, size_t cap)
{
    static struct hd_mhd mhd;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool loaded = true;

    if (library == NULL) {
        snprintf(error, cap, "%s: the library for web servers is missing; install libmicrohttpd12", dlerror());
        return NULL;
    }
#define FIND(f) loaded = (*(void **)(void *)&mhd.f = dlsym(library, #f)) != NULL && loaded;
    HD_MHD_FUNCTIONS(FIND)
#undef FIND
    if (loaded)
        return &mhd;
    snprintf(error, cap, "%s is too old: it lacks functions that Heddle needs", LIBRARY);
    return NULL;
}
