/* SPDX-License-Identifier: BSD-2-Clause
 *
 * standard.c - finds the language standard of each translation unit in the compiler's text in the
 * debug information: "GNU C++20 12.2.0 -g -std=c++20 ..." (gcc), "clang version 14.0.6 ...
 * -std=c++20" (clang with -grecord-gcc-switches, which `heddle cc` adds).
 *
 * C++20 removed relaxed stores from release sequences (P0982).  Drafts of C23 were interpreted in
 * both ways, so no rule is assumed for C newer than C17. */
#include "report/names/standard.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the rule for a year: the old one for "17", "1z", "98" and "iso9899:2011", the new one for
 * C++ "20", "2a", "23" and "26". */
static enum hd_release_rule by_year(const char *year, bool cplusplus)
{
    if (strncmp(year, "iso", 3) == 0)
        return HD_RELEASE_CONTINUED;
    if (year[0] == '8' || year[0] == '9' || year[0] == '0' || year[0] == '1')
        return HD_RELEASE_CONTINUED;
    return cplusplus && year[0] == '2' ? HD_RELEASE_ENDED : HD_RELEASE_OPEN;
}

/* Returns the rule for the name of a standard, such as "gnu++20" or "C17". */
static enum hd_release_rule by_name(const char *name)
{
    if (strncmp(name, "iso", 3) == 0)
        return by_year(name, false);
    name += strcspn(name, "0123456789+");
    if (strncmp(name, "++", 2) == 0)
        return by_year(name + 2, true);
    return by_year(name, false);
}

static const char *last_option(const char *producer, const char *option)
{
    const char *last = NULL;

    for (const char *at = strstr(producer, option); at != NULL; at = strstr(at + 1, option))
        last = at + strlen(option);
    return last;
}

/* Up to version CLANG_KNOWN, clang without -std compiles at most C++17 and C17.  Before
 * CLANG_EXACT, an optimising clang turned relaxed exchanges with unused results into stores (LLVM
 * issue 60418), which then seem to end a release sequence. */
enum { CLANG_EXACT = 17, CLANG_KNOWN = 21 };

static bool is_optimised(const char *producer)
{
    const char *level = last_option(producer, " -O");

    return level != NULL && *level != '0';
}

static enum hd_release_rule by_clang(const char *producer)
{
    const char *std = last_option(producer, " -std=");
    int version = atoi(strstr(producer, "clang version ") + strlen("clang version "));
    enum hd_release_rule rule = HD_RELEASE_OPEN;

    if (std != NULL)
        rule = by_name(std);
    else if (strstr(producer, " -") != NULL && version <= CLANG_KNOWN)
        rule = HD_RELEASE_CONTINUED;
    if (rule == HD_RELEASE_ENDED && version < CLANG_EXACT && is_optimised(producer))
        rule = HD_RELEASE_OPEN;
    return rule;
}

enum hd_release_rule hd_standard_of_unit(const char *producer, bool *counts)
{
    bool tells_options = strstr(producer, " -") != NULL;

    *counts = (!tells_options || strstr(producer, "-fsanitize=thread") != NULL) &&
              strncmp(producer, "GNU AS", 6) != 0 && strncmp(producer, "GNU GIMPLE", 10) != 0;
    if (strncmp(producer, "GNU C", 5) == 0)
        return by_name(producer + 4);
    if (strstr(producer, "clang version ") != NULL)
        return by_clang(producer);
    return HD_RELEASE_OPEN;
}

static enum hd_release_rule of_die(Dwarf_Die *unit, bool *counts)
{
    Dwarf_Attribute attr;
    const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));
    int language = dwarf_srclang(unit);

    if (language == DW_LANG_Mips_Assembler) {
        *counts = false;
        return HD_RELEASE_OPEN;
    }
    *counts = true;
    return producer != NULL ? hd_standard_of_unit(producer, counts) : HD_RELEASE_OPEN;
}

static enum hd_release_rule of_dwarf(Dwarf *dwarf)
{
    enum hd_release_rule rule = HD_RELEASE_OPEN;
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;
    bool any = false, counts;

    while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0) {
        enum hd_release_rule one;

        if (type != DW_UT_compile && type != DW_UT_skeleton)
            continue;
        one = of_die(&unit, &counts);
        if (!counts)
            continue;
        if (any && one != rule)
            return HD_RELEASE_OPEN;
        rule = one;
        any = true;
    }
    return rule;
}

enum hd_release_rule hd_standard_of_file(const char *path)
{
    enum hd_release_rule rule = HD_RELEASE_OPEN;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL;

    if (dwarf != NULL) {
        rule = of_dwarf(dwarf);
        dwarf_end(dwarf);
    }
    if (fd >= 0)
        close(fd);
    return rule;
}
