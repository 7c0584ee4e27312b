/* SPDX-License-Identifier: BSD-2-Clause
 *
 * shorten.c - shortens repetitions in a demangled C++ name, for display only. */
#include "report/names/shorten.h"

#include <stdio.h>
#include <string.h>

enum { LONG = 60, ARGUMENTS = 24 };

/* Removes n bytes at `at` and puts `text` there, which is not longer. */
static void replace(char *at, size_t n, const char *text)
{
    size_t m = strlen(text);

    memmove(at + m, at + n, strlen(at + n) + 1);
    memcpy(at, text, m);
}

/* Returns the length of a bracketed text, with its brackets; 0 if it does not end. */
static size_t bracketed(const char *at, char open, char close)
{
    int depth = 0;

    for (size_t n = 0; at[n] != '\0'; n++) {
        depth += at[n] == open;
        depth -= at[n] == close && !(close == '>' && n > 0 && at[n - 1] == '-');
        if (depth == 0)
            return n + 1;
    }
    return 0;
}

/* "f()::{lambda(int)#1}::operator()(int) const" becomes "f()::lambda#1". */
static void fold_lambdas(char *name)
{
    static const char call[] = "::operator()";

    for (char *at = name; (at = strstr(at, "{lambda(")) != NULL; at++) {
        size_t n = bracketed(at, '{', '}'), args = bracketed(at + 7, '(', ')');
        char number[24];

        if (n == 0 || args == 0 || 7 + args >= n)
            return;
        snprintf(number, sizeof number, "lambda%.*s", (int)(n - 8 - args) < 12 ? (int)(n - 8 - args) : 12, at + 7 + args);
        if (strncmp(at + n, call, sizeof call - 1) == 0) {
            size_t more = bracketed(at + n + sizeof call - 1, '(', ')');

            n += sizeof call - 1 + more;
            n += strncmp(at + n, " const", 6) == 0 ? 6 : 0;
        }
        replace(at, n, number);
    }
}

/* "vector<Foo, std::allocator<Foo> >" becomes "vector<..>" if the arguments are long. */
static void fold_arguments(char *name)
{
    for (char *at = name; (at = strchr(at, '<')) != NULL; at++) {
        size_t n = at > name && strncmp(at - (at >= name + 8 ? 8 : 0), "operator", 8) == 0 ? 0 : bracketed(at, '<', '>');

        if (n > ARGUMENTS)
            replace(at, n, "<..>");
    }
}

/* Folds only text that is longer than its replacement: "(int)", but not "()". */
void hd_name_fold_parameters(char *name)
{
    static const char folded[] = "(..)";

    for (char *at = name; (at = strchr(at, '(')) != NULL; at++) {
        size_t n = bracketed(at, '(', ')');

        if (n > sizeof folded - 1)
            replace(at, n, folded);
    }
}

void hd_name_shorten(const char *name, char *buf, size_t cap)
{
    static const char *const strings[] = {
        "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
    };

    snprintf(buf, cap, "%s", name);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        for (char *at = buf; (at = strstr(at, strings[i])) != NULL; at++)
            replace(at, strlen(strings[i]), "std::string");
    fold_lambdas(buf);
    if (strlen(buf) > LONG)
        fold_arguments(buf);
}
