/* SPDX-License-Identifier: BSD-2-Clause
 *
 * maps.c - reads /proc/self/maps by system calls, without allocating. */
#include "runtime/restore/maps.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/ledger.h"
#include "runtime/core/program.h"
#include "runtime/restore/process.h"
#include "runtime/restore/snapshot.h"
#include "runtime/sys/mem.h"

enum { MAX_EARLY = 512, MAX_KEPT = 512, LINE = 512 };
#define MOST_KEPT (UINT64_C(256) << 20) /* bytes: a larger image takes too long to make */

struct range {
    uintptr_t lo, hi;
};

static struct range early[MAX_EARLY];
static unsigned nearlier;
static bool have_early;

static bool is_hex(char c, unsigned *digit)
{
    if (c >= '0' && c <= '9')
        *digit = (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f')
        *digit = (unsigned)(c - 'a') + 10;
    else
        return false;
    return true;
}

static uintptr_t read_hex(const char **p)
{
    uintptr_t v = 0;
    unsigned digit;

    for (; is_hex(**p, &digit); ++*p)
        v = v << 4 | digit;
    return v;
}

/* "lo-hi rwxp offset major:minor inode   name" */
static struct hd_mapping parse(const char *line)
{
    struct hd_mapping m = { 0 };

    m.lo = read_hex(&line);
    line++;
    m.hi = read_hex(&line);
    line++;
    m.reads = line[0] == 'r';
    m.writes = line[1] == 'w';
    m.executes = line[2] == 'x';
    m.shared = line[3] == 's';
    for (int field = 0; field < 4 && *line != '\0'; line++) {
        field += *line == ' ';
        if (field >= 2) /* "major:minor inode" */
            m.file = hd_hash_mix(m.file, (unsigned char)*line);
    }
    while (*line == ' ')
        line++;
    m.is_break = line[0] == '[' && line[1] == 'h';
    m.is_stack = line[0] == '[' && line[1] == 's';
    m.named = *line != '\0' && !m.is_break;
    return m;
}

struct reader {
    long fd;
    char buf[4096];
    long n, at;
};

/* Reads one line without its newline and truncates long lines.  Returns false at the end of the
 * file. */
static bool next_line(struct reader *r, char *line)
{
    unsigned n = 0;

    for (;;) {
        if (r->at == r->n) {
            r->n = hd_sys(SYS_read, r->fd, r->buf, sizeof r->buf);
            r->at = 0;
            if (r->n <= 0)
                return false;
        }
        char c = r->buf[r->at++];

        if (c == '\n')
            break;
        if (n + 1 < LINE)
            line[n++] = c;
    }
    line[n] = '\0';
    return true;
}

bool hd_maps_each(bool (*fn)(const struct hd_mapping *m, void *arg), void *arg)
{
    static struct reader r; /* static, since the stack may be small here */
    char line[LINE];

    r.fd = hd_process_proc() < 0
               ? hd_sys(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0)
               : hd_sys6(SYS_openat, hd_process_proc(), (long)"self/maps", O_RDONLY | O_CLOEXEC, 0, 0, 0);
    r.n = r.at = 0;
    if (r.fd < 0)
        return false;
    while (next_line(&r, line)) {
        struct hd_mapping m = parse(line);

        if (!fn(&m, arg))
            break;
    }
    hd_sys(SYS_close, r.fd, 0, 0);
    return true;
}

static bool note_early(const struct hd_mapping *m, void *arg)
{
    (void)arg;
    if (nearlier > 0 && early[nearlier - 1].hi == m->lo)
        early[nearlier - 1].hi = m->hi;
    else if (nearlier < MAX_EARLY)
        early[nearlier++] = (struct range){ m->lo, m->hi };
    return nearlier < MAX_EARLY;
}

void hd_maps_before_constructors(void)
{
    if (have_early)
        return;
    have_early = true;
    hd_maps_each(note_early, NULL);
}

bool hd_maps_is_early(uintptr_t addr)
{
    for (unsigned i = 0; i < nearlier; i++)
        if (addr >= early[i].lo && addr < early[i].hi)
            return true;
    return false;
}

struct kept {
    struct range range[MAX_KEPT];
    bool executes[MAX_KEPT];
    unsigned n;
    uint64_t bytes;
    bool too_many;
};

static void keep(struct kept *k, uintptr_t lo, uintptr_t hi, bool executes)
{
    if (k->n == MAX_KEPT) {
        k->too_many = true;
        return;
    }
    k->executes[k->n] = executes;
    k->range[k->n++] = (struct range){ lo, hi };
    k->bytes += hi - lo;
}

/* Collects the parts of m that were not mapped before.  The kernel merges adjacent mappings, so m
 * may be partly new. */
static bool look_for_new(const struct hd_mapping *m, void *arg)
{
    struct kept *k = arg;
    uintptr_t lo = m->lo;

    if (!m->writes || m->shared || hd_program_is_module(m->lo) || hd_process_is_own(m->lo))
        return true;
    for (unsigned i = 0; i < nearlier && lo < m->hi; i++) {
        if (early[i].hi <= lo || early[i].lo >= m->hi)
            continue;
        if (early[i].lo > lo)
            keep(k, lo, early[i].lo, m->executes);
        lo = early[i].hi;
    }
    if (lo < m->hi)
        keep(k, lo, m->hi, m->executes);
    return true;
}

/* True if the process has one kernel thread.  Threads started by constructors run on memory that
 * libc mapped for them. */
static bool is_alone(void)
{
    struct stat st;

    return hd_sys(SYS_stat, "/proc/self/task", &st, 0) == 0 && st.st_nlink <= 3;
}

void hd_maps_keep_constructed(void)
{
    static struct kept k;

    if (!have_early || !is_alone())
        return;
    hd_maps_each(look_for_new, &k);
    if (k.too_many || k.bytes > MOST_KEPT) {
        hd_needs_fork("constructors map more memory than is copied");
        return;
    }
    for (unsigned i = 0; i < k.n; i++)
        hd_snapshot_add_mapping(k.range[i].lo, k.range[i].hi, k.executes[i]);
}
