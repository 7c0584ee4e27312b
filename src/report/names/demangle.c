/* SPDX-License-Identifier: BSD-2-Clause
 *
 * demangle.c - demangles with libstdc++, loaded at run time if the machine has it.  C++ programs
 * need that library; Heddle itself is not linked with it. */
#include "report/names/demangle.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/names/rust.h"

typedef char *demangle_fn(const char *, char *, size_t *, int *);

static demangle_fn *find(void)
{
    static demangle_fn *found;
    void *lib = found == NULL ? dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL) : NULL;
    void *fn = lib != NULL ? dlsym(lib, "__cxa_demangle") : NULL;

    if (fn != NULL)
        memcpy(&found, &fn, sizeof fn);
    return found;
}

char *hd_demangle(const char *name)
{
    char path[500];

    if (hd_rust_demangle(name, path, sizeof path))
        return hd_copied(path);
    demangle_fn *demangle = strncmp(name, "_Z", 2) == 0 ? find() : NULL;
    int status = 0;
    char *plain = demangle != NULL ? demangle(name, NULL, NULL, &status) : NULL;

    if (plain != NULL)
        hd_rust_clean(plain);
    return plain;
}

void hd_demangle_into(const char *name, char *buf, size_t cap)
{
    char *plain = hd_demangle(name);

    snprintf(buf, cap, "%s", plain != NULL ? plain : name);
    free(plain);
}
