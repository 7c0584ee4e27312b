/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gimple_text.c - answers questions about one statement by its text alone. */
#include "program/gimple_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool hd_gimple_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool hd_gimple_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

bool hd_gimple_same(struct hd_gimple_span a, struct hd_gimple_span b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

/* ---- places ------------------------------------------------------------ */

/* Returns the length of a place such as "[file.c:12:5] " at the beginning of text, or 0 if there is
 * none. */
static size_t marker(const char *text, struct hd_gimple_place *first)
{
    size_t n = *text == '[' ? strcspn(text, "]\n") : 0, end = n;
    unsigned line;
    char *colon;

    if (n == 0 || text[n] != ']' || text[n + 1] != ' ')
        return 0;
    for (unsigned colons = 0; colons < 2; colons++) {
        while (end > 0 && text[end] != ':')
            end--;
        if (end == 0 || !isdigit((unsigned char)text[end + 1]))
            return 0;
        end -= colons == 0;
    }
    colon = (char *)(uintptr_t)text + end;
    line = (unsigned)strtoul(colon + 1, NULL, 10);
    if (first->file == NULL) {
        first->file = strndup(text + 1, end - 1);
        first->line = line;
    }
    return n + 2;
}

void hd_gimple_strip(char *line, struct hd_gimple_place *first)
{
    char *to = line;

    for (const char *from = line; *from != '\0';) {
        size_t n = marker(from, first);

        if (n > 0)
            from += n;
        else
            *to++ = *from++;
    }
    *to = '\0';
}

/* ---- names ------------------------------------------------------------ */

/* Returns the end of a variable's number ("D.3108"), or NULL if d is not the beginning of one. */
static const char *number_end(const char *d)
{
    size_t n = d[0] == 'D' && d[1] == '.' ? strspn(d + 2, "0123456789") : 0;

    return n > 0 && d[2 + n] != '_' ? d + 2 + n : NULL;
}

enum hd_gimple_kind hd_gimple_name(const char *text, struct hd_gimple_span *name)
{
    size_t n = 0;

    if (hd_gimple_begins(text, "<retval>"))
        n = strlen("<retval>");
    for (; hd_gimple_in_name(text[n]); n++) {
        const char *end = number_end(text + n);

        if (end != NULL) {
            *name = (struct hd_gimple_span){ text, (size_t)(end - text) };
            return HD_GIMPLE_VARIABLE;
        }
    }
    *name = (struct hd_gimple_span){ text, n };
    if (n == strlen("<retval>") && *text == '<')
        return HD_GIMPLE_VARIABLE;
    return n > 0 && text[n] != ':' && text[n] != '<' ? HD_GIMPLE_VALUE : HD_GIMPLE_UNKNOWN;
}

/* Returns the position after the bracket that closes the one at text. */
static const char *behind(const char *text, char open, char close)
{
    int depth = 0;

    for (; *text != '\0'; text++) {
        depth += (*text == open) - (*text == close);
        if (depth == 0)
            return text + 1;
    }
    return text;
}

const char *hd_gimple_behind_cast(const char *text)
{
    if (*text != '(')
        return text;
    text = behind(text, '(', ')');
    return text + (*text == ' ');
}

enum hd_gimple_kind hd_gimple_base(const char *text, struct hd_gimple_span *name)
{
    enum hd_gimple_kind kind;
    bool through;

    while (*text == '(')
        text++;
    if (hd_gimple_begins(text, "MEM")) {
        text += 3;
        if (hd_gimple_begins(text, " <"))
            text = behind(text + 1, '<', '>');
        text += *text == ' ';
        if (*text != '[')
            return HD_GIMPLE_UNKNOWN;
        text = hd_gimple_behind_cast(text + 1);
        if (*text == '&')
            return hd_gimple_name(text + 1, name) == HD_GIMPLE_VARIABLE ? HD_GIMPLE_VARIABLE : HD_GIMPLE_UNKNOWN;
        return hd_gimple_name(text, name) == HD_GIMPLE_VALUE ? HD_GIMPLE_VALUE : HD_GIMPLE_UNKNOWN;
    }
    through = *text == '*';
    kind = hd_gimple_name(text + through, name);
    if (kind == HD_GIMPLE_VALUE)
        through |= hd_gimple_begins(name->at + name->n, "->") || hd_gimple_begins(name->at + name->n, "(D)->");
    return kind == (through ? HD_GIMPLE_VALUE : HD_GIMPLE_VARIABLE) ? kind : HD_GIMPLE_UNKNOWN;
}

bool hd_gimple_allocates(const char *call)
{
    static const char *const names[] = { "operator newD.", "operator new []D.", "mallocD.", "__builtin_mallocD.",
                                         "callocD.", "__builtin_callocD.", NULL };

    for (const char *const *n = names; *n != NULL; n++)
        if (hd_gimple_begins(call, *n))
            return hd_gimple_begins(call, "operator") ? strchr(call, ',') == NULL : true;
    return false;
}

const char *hd_gimple_right_side(const char *text)
{
    const char *plain = strstr(text, " = "), *marked = strstr(text, " ={v} ");

    if (marked != NULL && (plain == NULL || marked < plain))
        return marked + 6;
    return plain != NULL ? plain + 3 : NULL;
}

/* ---- calls ------------------------------------------------------------ */

bool hd_gimple_is_call(const char *right)
{
    const char *end = strrchr(right, ';');

    return end != NULL && end > right && end[-1] == ')' && strstr(right, " (") != NULL && *right != '"' &&
           !hd_gimple_begins(right, "VIEW_CONVERT_EXPR<");
}

/* Skips <...> backwards from its last character.  Returns the position before it. */
static const char *before_arguments(const char *from, const char *last)
{
    int depth = 0;

    for (; last > from; last--) {
        depth += (*last == '>') - (*last == '<');
        if (depth == 0)
            return *last == '<' ? last - 1 : last;
    }
    return from;
}

const char *hd_gimple_behind_object(const char *text)
{
    const char *last = NULL, *arguments = strstr(text, " ("), *a, *b;

    for (const char *d = strstr(text, "D."); d != NULL && last == NULL; d = strstr(d + 1, "D.")) {
        const char *end = number_end(d);

        if (end != NULL && hd_gimple_begins(end, " (")) {
            last = d - 1;
            arguments = end + 2;
        }
    }
    if (last == NULL || last <= text)
        return text;
    a = last = before_arguments(text, last);
    while (a > text && (isalnum((unsigned char)a[-1]) || a[-1] == '_'))
        a--;
    if (a - text < 3 || a[-1] != ':' || a[-2] != ':')
        return text;
    b = before_arguments(text, a - 3) - (last - a);
    if (b < text || memcmp(a, b, (size_t)(last - a) + 1) != 0 || (b > text && hd_gimple_in_name(b[-1])))
        return text;
    return arguments + strcspn(arguments, ",");
}

/* True if an ampersand precedes the memory reference that has the name at `at`. */
static bool address_taken(const char *text, const char *at)
{
    while (at > text && at[-1] == '(' )
        at--;
    return at > text && at[-1] == '&';
}

/* Returns the beginning of MEM if the name at `at` is in MEM[(type)NAME + 8B] or MEM[(type)&NAME],
 * otherwise NULL. */
static const char *memory_around(const char *text, const char *at)
{
    const char *open = at;
    int depth = 0;

    if (open > text && open[-1] == '&')
        open--;
    if (open > text && open[-1] == ')')
        do {
            open--;
            depth += (*open == ')') - (*open == '(');
        } while (depth > 0 && open > text);
    if (open == text || open[-1] != '[')
        return NULL;
    while (open > text && !hd_gimple_begins(open, "MEM"))
        open--;
    return hd_gimple_begins(open, "MEM") ? open : NULL;
}

bool hd_gimple_hands_on(const char *text, const char *at, struct hd_gimple_span name, enum hd_gimple_kind kind)
{
    const char *memory = memory_around(text, at), *next = at + name.n;

    if (memory != NULL)
        return address_taken(text, memory);
    if (kind == HD_GIMPLE_VARIABLE)
        return address_taken(text, at);
    if (hd_gimple_begins(next, "(D)"))
        next += 3;
    if (at > text && at[-1] == '*')
        return address_taken(text, at - 1);
    return hd_gimple_begins(next, "->") ? address_taken(text, at) : true;
}

/* True for functions of the C library that take times and keep no address of them. */
static bool takes_time(const char *call)
{
    static const char *const names[] = {
        "pthread_cond_timedwait", "pthread_cond_clockwait", "pthread_mutex_timedlock", "pthread_mutex_clocklock",
        "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock",
        "pthread_rwlock_clockwrlock", "pthread_timedjoin_np", "pthread_clockjoin_np", "sem_timedwait",
        "sem_clockwait", "mtx_timedlock", "cnd_timedwait", "thrd_sleep", "nanosleep", "clock_nanosleep",
        "clock_gettime", "clock_settime", "gettimeofday", "timespec_get", "sigtimedwait", "select", "pselect",
        "ppoll", "timer_settime", "timerfd_settime", "setitimer",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hd_gimple_begins(call, names[i]) && hd_gimple_begins(call + strlen(names[i]), "D."))
            return true;
    return false;
}

bool hd_gimple_keeps_nothing(const char *text)
{
    const char *right = hd_gimple_right_side(text), *call = right != NULL ? right : text;
    const char *op = strstr(call, "::operator"), *iterator = strstr(call, "_iterator<"), *arguments = call;

    if (takes_time(call))
        return true;
    if (!hd_gimple_begins(call, "std::") && !hd_gimple_begins(call, "__gnu_cxx::"))
        return false;
    while (arguments != NULL && number_end(arguments) == NULL)
        arguments = strstr(arguments + 1, "D.");
    if (arguments == NULL)
        return false;
    if (op != NULL && op < arguments)
        return strchr("(D", op[strlen("::operator")]) == NULL && !hd_gimple_begins(op, "::operator=D");
    return iterator != NULL && iterator < arguments;
}
