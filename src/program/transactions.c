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

/* ---- sections -------------------------------------------------------------------------------------- */

enum { MOST_SECTIONS = 16 };

/* Tracks whether the current section contains code.  Bytes in other sections are data, even if they look like an
 * instruction. */
struct sections {
    bool code, previous;
    bool outer[MOST_SECTIONS]; /* stack of .pushsection */
    unsigned depth;
};

static bool begins(const char *at, const char *end, const char *with)
{
    size_t n = strlen(with);

    return (size_t)(end - at) >= n && strncmp(at, with, n) == 0;
}

/* True if the operands of .section name a section with code. */
static bool is_code(const struct statement *s)
{
    const char *flags = memchr(s->operands, '"', (size_t)(s->end - s->operands));
    const char *to = flags != NULL ? memchr(flags + 1, '"', (size_t)(s->end - flags - 1)) : NULL;

    if (to != NULL && flags > s->operands) /* the first operand, the name, may be in quotes itself */
        return memchr(flags, 'x', (size_t)(to - flags)) != NULL;
    return begins(s->operands, s->end, ".text") || begins(s->operands, s->end, ".init") || begins(s->operands, s->end, ".fini");
}

static void follow(struct sections *in, const struct statement *s)
{
    bool before = in->code;

    if (is(s, ".text"))
        in->code = true;
    else if (is(s, ".data") || is(s, ".bss") || is(s, ".rodata"))
        in->code = false;
    else if (is(s, ".section"))
        in->code = is_code(s);
    else if (is(s, ".previous"))
        in->code = in->previous;
    else if (is(s, ".pushsection") && in->depth < MOST_SECTIONS) {
        in->outer[in->depth++] = in->code;
        in->code = is_code(s);
    } else if (is(s, ".popsection") && in->depth > 0)
        in->code = in->outer[--in->depth];
    else
        return;
    in->previous = before;
}

/* ---- encodings ----------------------------------------------------------------------------------- */

struct bytes {
    unsigned char at[MOST_BYTES];
    unsigned n;
};

/* Returns the number of bytes that each operand of the directive stands for, or 0 if it is no directive for bytes. */
static unsigned width_of(const struct statement *s)
{
    static const struct {
        const char *word;
        unsigned width;
    } directives[] = {
        { ".byte", 1 }, { ".2byte", 2 }, { ".word", 2 }, { ".short", 2 }, { ".value", 2 }, { ".hword", 2 },
        { ".4byte", 4 }, { ".long", 4 }, { ".int", 4 },
    };

    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (is(s, directives[i].word))
            return directives[i].width;
    return 0;
}

/* Appends the operands to the bytes.  Returns false if one is not a number or there are too many. */
static bool append(struct bytes *to, const struct statement *s, unsigned width)
{
    const char *at = s->operands;

    while (at < s->end) {
        char *end;

        at = skip_blanks(at, s->end);
        if (at < s->end && *at == '$')
            at++;
        unsigned long value = strtoul(at, &end, 0);

        if (end == at || to->n + width > MOST_BYTES)
            return false;
        for (unsigned i = 0; i < width; i++)
            to->at[to->n++] = (unsigned char)(value >> 8 * i);
        at = skip_blanks(end, s->end);
        if (at < s->end && *at++ != ',')
            return false;
    }
    return true;
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

    if (width_of(s) != 4)
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

static const struct encoding {
    unsigned char bytes[6];
    unsigned n, operand; /* operand: position of a byte that may have any value; 0: there is none */
    const char *name;
} encodings[] = {
    { { 0x0f, 0x01, 0xd5 }, 3, 0, "xend" },
    { { 0x0f, 0x01, 0xd6 }, 3, 0, "xtest" },
    { { 0xc6, 0xf8, 0 }, 3, 2, "xabort" },
    { { 0xc7, 0xf8, 0, 0, 0, 0 }, 6, 0, "xbegin" },
    { { 0x0f, 0xa2 }, 2, 0, "cpuid" },
};

/* True if the bytes are the encoding of this instruction, or its beginning. */
static bool matches(const struct encoding *e, const struct bytes *b)
{
    if (b->n > e->n)
        return false;
    for (unsigned i = 0; i < b->n; i++)
        if (b->at[i] != e->bytes[i] && (i != e->operand || i == 0))
            return false;
    return true;
}

/* Returns the instruction whose encoding begins with these bytes, or NULL. */
static const struct encoding *encoded(const struct bytes *b)
{
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (matches(&encodings[i], b))
            return &encodings[i];
    return NULL;
}

/* Reads the next statement that is not empty.  Returns false if there is none or it has a label. */
static bool take_next(struct statement *s)
{
    do {
        if (*after(s) == '\0')
            return false;
        take(s, after(s));
        if (skip_blanks(s->from, s->end) != s->code)
            return false;
    } while (s->code == s->end);
    return true;
}

/* Recognises an instruction that is written as bytes, in one directive or in several. */
static void find_encoded(struct instruction *in, const struct statement *first)
{
    struct statement s = *first;
    struct bytes b = { .n = 0 };
    const struct encoding *e;

    do {
        unsigned width = width_of(&s);

        if (b.n == 2 && b.at[0] == 0xc7 && target_of(&s, in->operand)) { /* xbegin and the distance to its handler */
            set(in, "xbegin", &s);
            return;
        }
        in->operand[0] = '\0';
        if (width == 0 || !append(&b, &s, width) || b.n == 0 || (e = encoded(&b)) == NULL)
            return;
        if (b.n == e->n) {
            if (e->operand != 0)
                snprintf(in->operand, sizeof in->operand, "%u", b.at[e->operand]);
            set(in, e->name, &s);
            return;
        }
    } while (take_next(&s));
}

/* True if the statement, perhaps together with the next ones, is a transactional instruction.  code: it is in a section
 * with code. */
static bool find(struct instruction *in, const struct statement *s, bool code)
{
    in->name[0] = in->operand[0] = '\0';
    if (code && width_of(s) != 0) {
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

static void put_code(FILE *to, const struct instruction *in)
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

/* Writes the replacement. syntax: the directive that selected Intel syntax, or its `code` is NULL. */
static void put(FILE *to, const struct instruction *in, const struct statement *syntax)
{
    if (syntax->code != NULL)
        fputs("\n\t.att_syntax prefix", to);
    put_code(to, in);
    if (syntax->code != NULL)
        fprintf(to, "\t%.*s\n", (int)(syntax->end - syntax->code), syntax->code);
}

/* Copies the text with the instructions replaced.  Returns the number of replaced instructions; *transactions: how
 * many of them are transactional, not cpuid. */
static unsigned copy(FILE *to, const char *text, unsigned *transactions)
{
    struct statement s, syntax = { .code = NULL };
    struct sections sections = { .code = true };
    struct instruction in;
    unsigned n = 0;
    const char *copied = text;

    for (const char *at = text; *at != '\0'; at = after(&s)) {
        take(&s, at);
        follow(&sections, &s);
        if (is(&s, ".intel_syntax"))
            syntax = s;
        else if (is(&s, ".att_syntax"))
            syntax.code = NULL;
        if (!find(&in, &s, sections.code))
            continue;
        fwrite(copied, 1, (size_t)(s.code - copied), to);
        put(to, &in, &syntax);
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
