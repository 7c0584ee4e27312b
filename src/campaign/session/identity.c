/* SPDX-License-Identifier: BSD-2-Clause
 *
 * identity.c - collects and compares what a search depends on.
 *
 * A program may read any variable of its environment, so all are compared, except those that
 * describe the login session.  Only hashes of the compared values are stored: a value may be a
 * secret. */
#include "campaign/session/identity.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "campaign/session/session.h"

extern char **environ;

static const char *const session_variables[] = {
    "_", "COLORTERM", "COLUMNS", "DBUS_SESSION_BUS_ADDRESS", "DESKTOP_SESSION", "DISPLAY", "GPG_AGENT_INFO", "GPG_TTY",
    "INVOCATION_ID", "JOURNAL_STREAM", "LINES", "LS_COLORS", "MAIL", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "OLDPWD", "PWD",
    "SESSION_MANAGER", "SHLVL", "SSH_AGENT_PID", "SSH_AUTH_SOCK", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "STY",
    "SYSTEMD_EXEC_PID", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE", "VTE_VERSION",
    "WAYLAND_DISPLAY", "WINDOW", "WINDOWID", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SEAT", "XDG_SESSION_CLASS",
    "XDG_SESSION_ID", "XDG_SESSION_TYPE", "XDG_VTNR",
};

/* ---- the list ----------------------------------------------------------------------------- */

void hd_identity_add(struct hd_identity *id, const char *kind, const char *name, const char *value)
{
    *HD_PUSH(id->fact, id->n) = (struct hd_identity_fact){ hd_copied(kind), hd_copied(name), hd_copied(value) };
}

static const struct hd_identity_fact *find(const struct hd_identity *id, const char *kind, const char *name)
{
    for (size_t i = 0; i < id->n; i++)
        if (strcmp(id->fact[i].kind, kind) == 0 && strcmp(id->fact[i].name, name) == 0)
            return &id->fact[i];
    return NULL;
}

const char *hd_identity_get(const struct hd_identity *id, const char *kind, const char *name)
{
    const struct hd_identity_fact *f = find(id, kind, name);

    return f != NULL ? f->value : NULL;
}

void hd_identity_free(struct hd_identity *id)
{
    for (size_t i = 0; i < id->n; i++) {
        free(id->fact[i].kind);
        free(id->fact[i].name);
        free(id->fact[i].value);
    }
    free(id->fact);
    *id = (struct hd_identity){ 0 };
}

char *hd_identity_text(const struct hd_identity *id, size_t *size)
{
    char *text;
    FILE *out = hd_memory_stream(&text, size);

    for (size_t i = 0; i < id->n; i++)
        fprintf(out, "%s\t%s\t%s%c", id->fact[i].kind, id->fact[i].name, id->fact[i].value, '\0');
    fclose(out);
    return text;
}

void hd_identity_parse(struct hd_identity *id, const char *text, size_t size)
{
    for (const char *at = text; at < text + size; at += strlen(at) + 1) {
        char *copy = hd_copied(at), *name = strchr(copy, '\t');
        char *value = name != NULL ? strchr(name + 1, '\t') : NULL;

        if (value != NULL) {
            *name = *value = '\0';
            hd_identity_add(id, copy, name + 1, value + 1);
        }
        free(copy);
    }
}

/* ---- what a search depends on ------------------------------------------------------------- */

static void add_number(struct hd_identity *id, const char *kind, const char *name, unsigned long long n)
{
    char text[32];

    snprintf(text, sizeof text, "%llu", n);
    hd_identity_add(id, kind, name, text);
}

static bool is_of_session(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof session_variables / sizeof *session_variables; i++)
        if (strlen(session_variables[i]) == n && memcmp(session_variables[i], name, n) == 0)
            return true;
    return false;
}

/* Adds the variables in the order of their addresses in the program. */
static void add_environment(struct hd_identity *id)
{
    for (char **e = environ; *e != NULL; e++) {
        size_t n = strcspn(*e, "=");
        char name[256], value[32];

        bool own = strncmp(*e, "HEDDLE_", 7) == 0 && strncmp(*e, "HEDDLE_ACTOR=", 13) != 0;

        if (own || (*e)[n] == '\0' || n >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)n, *e);
        snprintf(value, sizeof value, "%016llx", (unsigned long long)hd_hash_bytes(0, *e, strlen(*e)));
        if (is_of_session(*e, n))
            hd_identity_add(id, "session", name, *e + n + 1);
        else
            hd_identity_add(id, "variable", name, value);
    }
}

/* Adds the facts on which the layout of a process depends. */
static void add_system(struct hd_identity *id)
{
    struct utsname u;
    struct rlimit stack;
    char here[4096];

    hd_identity_add(id, "directory", "", getcwd(here, sizeof here) != NULL ? here : "");
    if (uname(&u) == 0) {
        hd_identity_add(id, "kernel", "", u.release);
        hd_identity_add(id, "machine", "", u.machine);
    }
    if (getrlimit(RLIMIT_STACK, &stack) == 0)
        add_number(id, "stack", "", (unsigned long long)stack.rlim_cur);
}

/* Options are lines of name and value, separated by a tab. */
static void add_options(struct hd_identity *id, const char *lines)
{
    for (const char *at = lines; at != NULL && *at != '\0';) {
        size_t n = strcspn(at, "\n"), name = strcspn(at, "\t\n");
        char *line = hd_formatted("%.*s", (int)n, at);

        line[name] = '\0';
        hd_identity_add(id, "option", line, name < n ? line + name + 1 : "");
        free(line);
        at += n + (at[n] == '\n');
    }
}

void hd_identity_describe(struct hd_identity *id, const struct hd_session *s)
{
    char program[4096], name[16];

    hd_identity_add(id, "program", "", realpath(s->elf.path, program) != NULL ? program : s->elf.path);
    for (int i = 0; s->argv[i] != NULL; i++) {
        snprintf(name, sizeof name, "%d", i);
        hd_identity_add(id, "argument", name, s->argv[i]);
    }
    if (s->test != NULL)
        hd_identity_add(id, "test", "", s->test);
    add_options(id, s->o->search_options);
    add_number(id, "workers", "", s->wires.n);
    add_system(id);
    add_environment(id);
}

void hd_identity_add_file(struct hd_identity *id, const char *path)
{
    enum { CHUNK = 1 << 18 };
    if (find(id, "file", path) != NULL)
        return;
    char *buffer = hd_zeroed(CHUNK, 1), text[32] = "unreadable";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t h = 0;
    ssize_t n = -1;

    while (fd >= 0 && (n = read(fd, buffer, CHUNK)) > 0)
        h = hd_hash_bytes(h, buffer, (size_t)n);
    if (n == 0)
        snprintf(text, sizeof text, "%016llx", (unsigned long long)h);
    if (fd >= 0)
        close(fd);
    free(buffer);
    hd_identity_add(id, "file", path, text);
}

/* ---- comparing ---------------------------------------------------------------------------- */

static const struct {
    const char *kind;
    const char *words; /* printed before the name */
    bool shows;        /* the message may show the values */
} kinds[] = {
    { "program", "the program", true },
    { "argument", "argument ", true },
    { "test", "the test", true },
    { "option", "option ", true },
    { "workers", "the number of workers (-j)", true },
    { "directory", "the current directory", true },
    { "kernel", "the version of the kernel", true },
    { "machine", "the machine", true },
    { "stack", "the limit of the stack (ulimit -s)", true },
    { "variable", "the environment variable ", false },
    { "file", "the file ", false },
};

struct differences {
    char *buf;
    size_t cap, used;
    unsigned n;
};

static void add_difference(struct differences *d, const char *kind, const char *name, const char *was, const char *is)
{
    enum { SHOWN = 5 };
    size_t k = 0;

    while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k].kind, kind) != 0)
        k++;
    if (k == sizeof kinds / sizeof *kinds || d->n++ >= SHOWN || d->used >= d->cap)
        return;
    size_t room = d->cap - d->used;
    const char *before = d->used > 0 ? "; " : "";
    int n;

    if (was == NULL || is == NULL)
        n = snprintf(d->buf + d->used, room, "%s%s%s %s", before, kinds[k].words, name,
                     was == NULL ? "was not there before" : "is missing now");
    else if (kinds[k].shows)
        n = snprintf(d->buf + d->used, room, "%s%s%s was '%s' and is '%s' now", before, kinds[k].words, name, was, is);
    else
        n = snprintf(d->buf + d->used, room, "%s%s%s has changed", before, kinds[k].words, name);
    d->used += n > 0 ? (size_t)n : 0;
}

unsigned hd_identity_compare(const struct hd_identity *was, const struct hd_identity *is, char *buf, size_t cap)
{
    struct differences d = { .buf = buf, .cap = cap };

    buf[0] = '\0';
    for (size_t i = 0; i < was->n; i++) {
        const struct hd_identity_fact *a = &was->fact[i], *b = find(is, a->kind, a->name);

        if (b == NULL || strcmp(a->value, b->value) != 0)
            add_difference(&d, a->kind, a->name, a->value, b != NULL ? b->value : NULL);
    }
    for (size_t i = 0; i < is->n; i++)
        if (find(was, is->fact[i].kind, is->fact[i].name) == NULL)
            add_difference(&d, is->fact[i].kind, is->fact[i].name, NULL, is->fact[i].value);
    return d.n;
}

/* ---- the environment again ---------------------------------------------------------------- */

char **hd_identity_environment(const struct hd_identity *was)
{
    char **env = hd_zeroed(was->n + 1, sizeof *env);
    size_t n = 0;

    for (size_t i = 0; i < was->n; i++) {
        const struct hd_identity_fact *f = &was->fact[i];
        const char *value = NULL;

        if (strcmp(f->kind, "session") == 0)
            value = f->value;
        else if (strcmp(f->kind, "variable") == 0)
            value = getenv(f->name);
        if (value != NULL)
            env[n++] = hd_formatted("%s=%s", f->name, value);
    }
    return env;
}

void hd_identity_environment_free(char **env)
{
    for (size_t i = 0; env != NULL && env[i] != NULL; i++)
        free(env[i]);
    free(env);
}
