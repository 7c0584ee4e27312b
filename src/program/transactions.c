/* SPDX-License-Identifier: BSD-2-Clause
 *
 * transactions.c - replaces transactional instructions.  See transactions.h.
 *
 * The inserted code keeps all registers and the flags, and skips the red zone.  The call that begins a transaction is
 * followed by a short jump of two bytes, which the runtime skips after an abort. */
#include "program/transactions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_CAP = 32, TARGET_CAP = 512, MOST_BYTES = 8 };

/* One statement of the text: a line may hold several. */
struct statement {
    const char *from, *code, *end; /* code: after white space and labels */
    char word[WORD_CAP];           /* the instruction or directive, in lower case */
    const char *operands;
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static const char *skip_labels(const char *at, const char *end)
{
    for (;;) {
        const char *name = skip_blanks(at, end), *c = name;

        while (c < end && is_name(*c))
            c++;
        if (c == name || c == end || *c != ':')
            return name;
        at = c + 1;
    }
}

/* Returns the end of the statement.  Separators inside a quoted text do not count. */
static const char *end_of(const char *at)
{
    bool quoted = false;

    for (; *at != '\0' && *at != '\n'; at++) {
        if (*at == '\\' && quoted && at[1] != '\0' && at[1] != '\n')
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && (*at == ';' || *at == '#'))
            break;
    }
    return at;
}

static void take(struct statement *s, const char *from)
{
    size_t n = 0;

    s->from = from;
    s->end = end_of(from);
    s->code = skip_labels(from, s->end);
    while (s->code + n < s->end && n + 1 < WORD_CAP && s->code[n] != ' ' && s->code[n] != '\t') {
        s->word[n] = (char)tolower((unsigned char)s->code[n]);
        n++;
    }
    s->word[n] = '\0';
    s->operands = skip_blanks(s->code + n, s->end);
}

/* Returns the beginning of the next statement.  A comment ends with its line. */
static const char *after(const struct statement *s)
{
    const char *at = s->end;

    if (*at == '#')
        at += strcspn(at, "\n");
    return at + (*at != '\0');
}

static bool is(const struct statement *s, const char *word)
{
    return strcmp(s->word, word) == 0;
}

/* ---- encodings ----------------------------------------------------------------------------------- */

/* Reads the operands of .byte.  Returns their number, or 0 if one is not a number. */
static unsigned bytes_of(const struct statement *s, unsigned char out[MOST_BYTES])
{
    unsigned n = 0;
    const char *at = s->operands;

    while (at < s->end && n < MOST_BYTES) {
        char *end;

        at = skip_blanks(at, s->end);
        if (at < s->end && *at == '$')
            at++;
        unsigned long value = strtoul(at, &end, 0);

        if (end == at || value > 0xff)
            return 0;
        out[n++] = (unsigned char)value;
        at = skip_blanks(end, s->end);
        if (at < s->end && *at++ != ',')
            return 0;
    }
    return at >= s->end ? n : 0;
}

/* Stores the expression without blanks. */
static void squeeze(const char *from, const char *end, char out[TARGET_CAP])
{
    size_t n = 0;

    for (; from < end && n + 1 < TARGET_CAP; from++)
        if (*from != ' ' && *from != '\t')
            out[n++] = *from;
    out[n] = '\0';
}

/* Computes the target of an encoded xbegin from the distance in .long.  Returns false if the statement is not
 * understood. */
static bool target_of(const struct statement *s, char out[TARGET_CAP])
{
    static const char *const tails[] = { "-.-4", "-(.+4)", NULL };

    if (!is(s, ".long") && !is(s, ".int") && !is(s, ".4byte"))
        return false;
    squeeze(s->operands, s->end, out);
    if (strcmp(out, "0") == 0 || strcmp(out, "0x0") == 0) {
        out[0] = '\0';
        return true;
    }
    for (unsigned i = 0; tails[i] != NULL; i++) {
        size_t n = strlen(out), m = strlen(tails[i]);

        if (n > m && strcmp(out + n - m, tails[i]) == 0) {
            out[n - m] = '\0';
            return strpbrk(out, "+-*/.()") == NULL || out[0] == '.';
        }
    }
    return false;
}

/* ---- recognising ------------------------------------------------------------------------------------ */

struct instruction {
    char name[WORD_CAP];      /* "": none */
    char operand[TARGET_CAP]; /* operand of xbegin: where execution continues after an abort; "": after xbegin */
    struct statement last;   /* its last statement */
};

static void set(struct instruction *in, const char *name, const struct statement *last)
{
    snprintf(in->name, sizeof in->name, "%s", name);
    in->last = *last;
}

/* An xbegin whose distance is in the next statement. */
static void find_distance(struct instruction *in, const struct statement *s)
{
    struct statement next;

    take(&next, after(s));
    if (skip_blanks(next.from, next.end) == next.code && target_of(&next, in->operand))
        set(in, "xbegin", &next);
}

static void find_encoded(struct instruction *in, const struct statement *s)
{
    unsigned char b[MOST_BYTES];
    unsigned n = bytes_of(s, b);

    if (n == 3 && memcmp(b, "\x0f\x01\xd5", 3) == 0) {
        set(in, "xend", s);
    } else if (n == 3 && memcmp(b, "\x0f\x01\xd6", 3) == 0) {
        set(in, "xtest", s);
    } else if (n == 3 && memcmp(b, "\xc6\xf8", 2) == 0) {
        snprintf(in->operand, sizeof in->operand, "%u", b[2]);
        set(in, "xabort", s);
    } else if (n == 6 && memcmp(b, "\xc7\xf8\0\0\0\0", 6) == 0) {
        set(in, "xbegin", s);
    } else if (n == 2 && memcmp(b, "\xc7\xf8", 2) == 0) {
        find_distance(in, s);
    }
}

/* True if the statement, perhaps together with the next one, is a transactional instruction. */
static bool find(struct instruction *in, const struct statement *s)
{
    in->name[0] = in->operand[0] = '\0';
    if (is(s, ".byte")) {
        find_encoded(in, s);
    } else if (is(s, "xend") || is(s, "xtest") || is(s, "cpuid")) {
        set(in, s->word, s);
    } else if (is(s, "xbegin") || is(s, "xabort")) {
        squeeze(s->operands + (s->operands < s->end && *s->operands == '$'), s->end, in->operand);
        set(in, s->word, s);
    }
    return in->name[0] != '\0';
}

/* ---- replacing -------------------------------------------------------------------------------------- */

#define SKIP "\n\tleaq\t-128(%%rsp), %%rsp\n"
#define CALL "\tcall\t*heddle_rt_%s@GOTPCREL(%%rip)\n"
#define BACK "\tleaq\t128(%%rsp), %%rsp\n"

static void put(FILE *to, const struct instruction *in)
{
    if (strcmp(in->name, "xabort") == 0) {
        fprintf(to, SKIP "\tpushq\t$%s\n" CALL "\tleaq\t136(%%rsp), %%rsp\n", in->operand, in->name);
    } else if (strcmp(in->name, "xbegin") == 0) {
        fprintf(to, SKIP CALL "\tjmp\t918273f\n", in->name);
        if (in->operand[0] != '\0')
            fprintf(to, BACK "\tjmp\t%s\n", in->operand);
        fprintf(to, "918273:\n" BACK);
    } else {
        fprintf(to, SKIP CALL BACK, in->name);
    }
}

/* Copies the text with the instructions replaced.  Returns the number of replaced instructions; *transactions: how
 * many of them are transactional, not cpuid. */
static unsigned copy(FILE *to, const char *text, unsigned *transactions)
{
    struct statement s;
    struct instruction in;
    unsigned n = 0;
    const char *copied = text;

    for (const char *at = text; *at != '\0'; at = after(&s)) {
        take(&s, at);
        if (!find(&in, &s))
            continue;
        fwrite(copied, 1, (size_t)(s.code - copied), to);
        put(to, &in);
        s = in.last;
        copied = s.end + (*s.end == ';');
        n++;
        *transactions += strcmp(in.name, "cpuid") != 0;
    }
    fputs(copied, to);
    return n;
}

/* Adds a constructor that tells the runtime that the program has transactions. */
static void put_mark(FILE *to)
{
    fputs("\n\t.section\t.init_array,\"aw\",@init_array\n\t.p2align 3\n\t.quad\theddle_rt_transactions\n", to);
}

char *hd_transactions_replace(const char *text, bool *failed)
{
    char *out = NULL;
    size_t size = 0;
    unsigned n = 0, transactions;

    *failed = false;
    if (strstr(text, ".intel_syntax") != NULL)
        return NULL;
    FILE *to = open_memstream(&out, &size);

    if (to != NULL) {
        transactions = strstr(text, "_ITM_beginTransaction") != NULL;
        n = transactions + copy(to, text, &transactions);
        if (transactions > 0)
            put_mark(to);
        *failed = ferror(to) != 0;
    }
    *failed |= to == NULL || fclose(to) != 0;
    if (*failed || n == 0) {
        free(out);
        return NULL;
    }
    return out;
}
