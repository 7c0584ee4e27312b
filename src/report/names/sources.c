/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sources.c - compares the times of source files with that of the program. */
#include "report/names/sources.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/names/symbols.h"

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Finds a newer file among those of one translation unit. */
static const char *newer_of_unit(Dwarf_Die *unit, const struct timespec *built)
{
    Dwarf_Files *files;
    size_t n;

    if (dwarf_getsrcfiles(unit, &files, &n) != 0)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        const char *name = dwarf_filesrc(files, i, NULL, NULL);
        struct stat s;

        /* a relative name is relative to a directory that is not known */
        if (name != NULL && name[0] == '/' && !hd_is_system_file(name) && stat(name, &s) == 0 && S_ISREG(s.st_mode) &&
            is_newer(&s.st_mtim, built))
            return name;
    }
    return NULL;
}

static bool newer_of(Dwarf *dwarf, const struct timespec *built, char *source, size_t cap)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;

    while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0) {
        const char *name = type == DW_UT_compile ? newer_of_unit(&unit, built) : NULL;

        if (name != NULL) {
            snprintf(source, cap, "%s", name);
            return true;
        }
    }
    return false;
}

bool hd_sources_newer(const char *program, char *source, size_t cap)
{
    struct stat s;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd >= 0 && fstat(fd, &s) == 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;
    bool found = dwarf != NULL && newer_of(dwarf, &s.st_mtim, source, cap);

    dwarf_end(dwarf);
    if (fd >= 0)
        close(fd);
    return found;
}
