/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assembly.c - finds inline assembly that synchronises.  See assembly.h. */
#include "program/assembly.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_CAP = 512, WORD_CAP = 32 };

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- one instruction ---------------------------------------------------------------- */

static bool is_frame(const char *operand, bool framed)
{
    return begins(operand, "(%rsp") || (framed && begins(operand, "(%rbp"));
}

/* True if an operand is memory that other threads may share: neither thread-local nor on the
 * function's own stack. */
static bool has_memory(const char *operands, bool framed)
{
    if (strstr(operands, "%fs:") != NULL)
        return false;
    for (const char *o = strchr(operands, '('); o != NULL; o = strchr(o + 1, '('))
        if (!is_frame(o, framed))
            return true;
    return strstr(operands, "%gs:") != NULL;
}

/* True if the instruction synchronises.  An exchange with memory is atomic even without a lock
 * prefix. */
static bool is_one(const char *word, const char *operands)
{
    static const char *const always[] = { "lock", "mfence", "syscall", "sysenter", "xbegin", "xend", "xabort", "xtest", NULL };

    for (size_t i = 0; always[i] != NULL; i++)
        if (strcmp(word, always[i]) == 0)
            return true;
    if (strcmp(word, "int") == 0)
        return strstr(operands, "0x80") != NULL;
    return (begins(word, "xchg") || begins(word, "cmpxchg") || begins(word, "xadd")) &&
           has_memory(operands, false);
}

/* True for instructions that access no memory, and for calls of the runtime that replace transactional
 * instructions (transactions.h): Heddle sees these. */
static bool touches_nothing(const char *word, const char *operands)
{
    return (begins(word, "call") && strstr(operands, "*heddle_rt_x") != NULL) || begins(word, "lea") || begins(word, "nop") || begins(word, "prefetch") || *word == '.';
}

enum weight { NOTHING, MEMORY, SYNCHRONISES };

/* Returns the weight of a line.  Instructions are separated by semicolons.  Sets `word` to the
 * instruction with the largest weight, unless that is NOTHING. */
static enum weight weigh(const char *line, bool framed, char word[WORD_CAP])
{
    enum weight most = NOTHING;
    char copy[1024];
    char *rest = copy, *part;

    snprintf(copy, sizeof copy, "%s", line);
    copy[strcspn(copy, "#")] = '\0';
    while (most < SYNCHRONISES && (part = strsep(&rest, ";")) != NULL) {
        char name[WORD_CAP];
        size_t n;

        part += strspn(part, " \t");
        n = strcspn(part, " \t");
        snprintf(name, sizeof name, "%.*s", (int)n, part);
        for (char *c = name; *c != '\0'; c++)
            *c = (char)tolower((unsigned char)*c);
        if (!is_one(name, part + n) && (most == MEMORY || !has_memory(part + n, framed) || touches_nothing(name, part + n)))
            continue;
        most = is_one(name, part + n) ? SYNCHRONISES : MEMORY;
        memcpy(word, name, sizeof name);
    }
    return most;
}

struct scan {
    bool app;     /* between #APP and #NO_APP */
    bool framed;  /* %rbp is the function's frame */
    char function[NAME_CAP];
    char declared[NAME_CAP]; /* .type NAME, @function came before its label */
    char file[4096];
    unsigned line;
    size_t at;
    enum weight most; /* largest weight in the current statement */
    char word[WORD_CAP];
    void (*found)(const struct hd_asm_place *, void *);
    void *arg;
};

/* ---- lines ---------------------------------------------------------------------------- */

/* Takes file and line from a marker, for example: # 12 "file.c" 1 */
static void take_marker(struct scan *s, const char *line)
{
    char file[sizeof s->file];
    unsigned number;

    if (sscanf(line, "# %u \"%4095[^\"]\"", &number, file) != 2)
        return;
    s->line = number;
    memcpy(s->file, file, sizeof file);
}

/* Ends a statement: calls `found` if the statement has a weight. */
static void tell(struct scan *s)
{
    struct hd_asm_place place = { .function = s->function, .file = s->file, .line = s->line,
                                  .instruction = s->word, .at = s->at,
                                  .synchronises = s->most == SYNCHRONISES };

    if (s->most != NOTHING)
        s->found(&place, s->arg);
    s->most = NOTHING;
}

static void app_line(struct scan *s, const char *line, size_t at)
{
    char word[WORD_CAP];
    enum weight weight;

    if (begins(line, "# ")) {
        tell(s);
        take_marker(s, line);
        s->at = at;
        return;
    }
    weight = weigh(line, s->framed, word);
    if (weight <= s->most)
        return;
    s->most = weight;
    memcpy(s->word, word, sizeof word);
}

static void other_line(struct scan *s, const char *line)
{
    char name[NAME_CAP];
    size_t n = strcspn(line, ":");

    if (sscanf(line, " .type %511[^ \t,], @function", name) == 1) {
        memcpy(s->declared, name, sizeof name);
        s->framed = false;
    } else if (strcmp(line, "\tmovq\t%rsp, %rbp") == 0)
        s->framed = true;
    else if (line[n] == ':' && strlen(s->declared) == n && strncmp(line, s->declared, n) == 0)
        memcpy(s->function, s->declared, sizeof s->function);
}

static void one_line(struct scan *s, const char *line, size_t at)
{
    const char *mark = line + strspn(line, "\t"); /* clang indents it */

    if (begins(mark, "#APP")) {
        s->app = true;
        s->at = at;
    } else if (begins(mark, "#NO_APP")) {
        tell(s);
        s->app = false;
    } else if (s->app) {
        app_line(s, line, at);
    } else {
        other_line(s, line);
    }
}

void hd_asm_scan(const char *text, void (*found)(const struct hd_asm_place *, void *), void *arg)
{
    struct scan s = { .found = found, .arg = arg };
    char *line = NULL;
    size_t cap = 0;

    for (const char *from = text; *from != '\0';) {
        size_t n = strcspn(from, "\n");

        if (n + 1 > cap) {
            char *larger = realloc(line, 2 * n + 256);

            if (larger == NULL)
                break;
            line = larger;
            cap = 2 * n + 256;
        }
        memcpy(line, from, n);
        line[n] = '\0';
        one_line(&s, line, (size_t)(from - text));
        from += n + (from[n] == '\n');
    }
    free(line);
}
