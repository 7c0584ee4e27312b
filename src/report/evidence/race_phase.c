/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race_phase.c - looks for words in the names of functions. */
#include "report/evidence/race_phase.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "report/evidence/race.h"

static const char *const first_words[] = { "init", "initialise", "initialize", "create", "construct", "setup", "ctor", NULL };
static const char *const last_words[] = { "destroy", "destruct", "fini", "cleanup", "teardown", "dtor", "delete", "free", NULL };

static bool is_one_of(const char *word, size_t n, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strlen(*list) == n && strncasecmp(*list, word, n) == 0)
            return true;
    return false;
}

/* Returns the length of the first word.  A word ends before '_', before a capital letter after a small one, or at
 * the end of the name. */
static size_t word_length(const char *s, size_t n)
{
    size_t i = 0;

    while (i < n && (isalnum((unsigned char)s[i]) != 0) &&
           (i == 0 || !(isupper((unsigned char)s[i]) && islower((unsigned char)s[i - 1]))))
        i++;
    return i;
}

/* "X::X" is a constructor, "X::~X" a destructor. */
static enum hd_race_phase phase_of_method(const char *name, size_t n, const char *scope, size_t nscope)
{
    if (name[0] == '~')
        return HD_RACE_DESTROYS;
    return n == nscope && memcmp(name, scope, n) == 0 ? HD_RACE_INITIALISES : HD_RACE_USES;
}

/* A word counts as the last word of the name, or if only one other word follows it: "list_free", "free_node", but
 * not "free_list_push". */
static enum hd_race_phase phase_of_words(const char *name, size_t n)
{
    enum { MANY = 8 };
    const char *word[MANY];
    size_t length[MANY], words = 0;

    for (size_t i = 0; i < n && words < MANY;) {
        size_t w = word_length(name + i, n - i);

        if (w > 0) {
            word[words] = name + i;
            length[words++] = w;
        }
        i += w > 0 ? w : 1;
    }
    for (size_t i = 0; i < words; i++) {
        if (i + 1 < words && !(words == 2 && i == 0))
            continue;
        if (is_one_of(word[i], length[i], first_words))
            return HD_RACE_INITIALISES;
        if (is_one_of(word[i], length[i], last_words))
            return HD_RACE_DESTROYS;
    }
    return HD_RACE_USES;
}

enum hd_race_phase hd_race_phase_of_name(const char *function)
{
    const char *name = function, *scope = NULL;
    size_t n = strcspn(function, "(<"), nscope = 0;

    for (const char *at = function; at + 1 < function + n; at++)
        if (at[0] == ':' && at[1] == ':') {
            scope = name;
            nscope = (size_t)(at - name);
            name = at + 2;
        }
    n -= (size_t)(name - function);
    enum hd_race_phase phase = scope != NULL ? phase_of_method(name, n, scope, nscope) : HD_RACE_USES;

    return phase != HD_RACE_USES ? phase : phase_of_words(name, n);
}

enum hd_race_phase hd_race_phase(const struct hd_report *r)
{
    const struct hd_race *race = &r->race->race;

    if (race->second.frees || hd_race_phase_of_name(hd_race_function(r, race->second.pc)) == HD_RACE_DESTROYS)
        return HD_RACE_DESTROYS;
    return hd_race_phase_of_name(hd_race_function(r, race->first.pc)) == HD_RACE_INITIALISES ? HD_RACE_INITIALISES
                                                                                            : HD_RACE_USES;
}

const char *hd_race_phase_word(enum hd_race_phase phase)
{
    static const char *const words[] = { "use", "initialisation", "destruction" };

    return words[phase];
}
