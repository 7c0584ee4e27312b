/* SPDX-License-Identifier: BSD-2-Clause
 *
 * generate.c - random programs of two or three threads and a few operations. */
#include "oracle/generate.h"

#include <string.h>

struct script {
    struct prog_op *op;
    unsigned n;
    struct hd_rng *rng;
};

static void emit(struct script *s, unsigned kind, unsigned arg, int value, int extra)
{
    s->op[s->n++] = (struct prog_op){ (uint8_t)kind, (uint8_t)arg, (int8_t)value, (int8_t)extra };
}

static unsigned below(struct script *s, unsigned n)
{
    return hd_rng_below(s->rng, n);
}

/* One memory access, now and then with a branch on what was read. */
static void memory(struct script *s)
{
    unsigned x = below(s, 2);

    switch (below(s, 6)) {
    case 0:
    case 1:
        emit(s, OP_READ, x, 0, 0);
        if (below(s, 2) == 0) {
            emit(s, OP_SKIP_NE, 1, (int)below(s, 2), 0);
            emit(s, OP_WRITE, below(s, 2), 1 + (int)below(s, 2), 0);
        }
        break;
    case 2:
        emit(s, OP_WRITE, x, (int)below(s, 3), 0);
        break;
    case 3:
        emit(s, OP_CAS, x, (int)below(s, 2), 1 + (int)below(s, 2));
        break;
    case 4: /* tried again: an exchange, or waiting for a value; both give up */
        if (below(s, 2) == 0)
            emit(s, OP_CAS, x, (int)below(s, 2), 1);
        else
            emit(s, OP_READ, x, 0, 0);
        emit(s, OP_LOOP, 1, 1, 1);
        break;
    default:
        emit(s, OP_ADD, x, 1, 0);
    }
}

static void plain_access(struct script *s)
{
    emit(s, below(s, 2) ? OP_READ : OP_ADD, below(s, 2), 1, 0);
}

static void mutex(struct script *s)
{
    unsigned m = below(s, 2), kind = below(s, 9);

    if (kind < 2) {
        emit(s, OP_TRYLOCK, m, 0, 0);
        emit(s, OP_SKIP_NE, 2, 1, 0);
        plain_access(s);
        emit(s, OP_UNLOCK, m, 0, 0);
        return;
    }
    emit(s, OP_LOCK, m, 0, 0);
    if (kind == 8) { /* looks twice for what another section stores */
        emit(s, OP_READ, below(s, 2), 0, 0);
        emit(s, OP_UNLOCK, m, 0, 0);
        emit(s, OP_LOOP, 3, 1, 1);
        return;
    }
    if (kind < 4) {
        emit(s, OP_LOCK, 1 - m, 0, 0);
        emit(s, OP_UNLOCK, below(s, 2) ? m : 1 - m, 0, 0);
        emit(s, OP_UNLOCK, s->op[s->n - 1].arg == m ? 1 - m : m, 0, 0);
        return;
    }
    if (below(s, 2))
        plain_access(s);
    if (below(s, 8) != 0) /* now and then it is never released */
        emit(s, OP_UNLOCK, m, 0, 0);
}

static void rwlock_semaphore(struct script *s)
{
    bool keep = below(s, 8) == 0;

    switch (below(s, 7)) {
    case 0:
        emit(s, OP_RDLOCK, 0, 0, 0);
        if (!keep)
            emit(s, OP_RDUNLOCK, 0, 0, 0);
        break;
    case 1:
        emit(s, OP_WRLOCK, 0, 0, 0);
        if (!keep)
            emit(s, OP_WRUNLOCK, 0, 0, 0);
        break;
    case 2:
        emit(s, OP_TRYRD, 0, 0, 0);
        emit(s, OP_SKIP_NE, 1, 1, 0);
        emit(s, OP_RDUNLOCK, 0, 0, 0);
        break;
    case 3:
        emit(s, OP_TRYWR, 0, 0, 0);
        emit(s, OP_SKIP_NE, 1, 1, 0);
        emit(s, OP_WRUNLOCK, 0, 0, 0);
        break;
    case 4:
        emit(s, OP_POST, 0, 0, 0);
        break;
    case 5:
        emit(s, OP_SEM_WAIT, 0, 0, 0);
        break;
    default:
        emit(s, OP_SEM_TRY, 0, 0, 0);
        emit(s, OP_SKIP_NE, 1, 1, 0);
        emit(s, OP_ADD, 0, 1, 0);
    }
}

static void condition(struct script *s, bool timed)
{
    bool locked = below(s, 3) != 0;

    if (below(s, 5) == 0) { /* while (x == 0) wait */
        emit(s, OP_LOCK, 0, 0, 0);
        emit(s, OP_READ, 0, 0, 0);
        emit(s, OP_SKIP_NE, 2, 0, 0);
        emit(s, OP_WAIT, 0, 0, 0);
        emit(s, OP_BACK, 3, 0, 0);
        emit(s, OP_UNLOCK, 0, 0, 0);
        return;
    }
    if (below(s, 2) == 0) {
        emit(s, OP_LOCK, 0, 0, 0);
        emit(s, timed && below(s, 2) ? OP_TIMEDWAIT : OP_WAIT, 0, 0, 0);
        emit(s, OP_UNLOCK, 0, 0, 0);
        return;
    }
    if (locked)
        emit(s, OP_LOCK, 0, 0, 0);
    if (below(s, 3) == 0)
        emit(s, OP_WRITE, 0, 1, 0);
    emit(s, below(s, 3) == 0 ? OP_BROADCAST : OP_SIGNAL, 0, 0, 0);
    if (locked)
        emit(s, OP_UNLOCK, 0, 0, 0);
}

static void once(struct script *s)
{
    if (below(s, 3) == 0) {
        plain_access(s);
        return;
    }
    emit(s, OP_ONCE_BEGIN, 0, 0, 0);
    emit(s, OP_SKIP_NE, 2, 1, 0);
    plain_access(s);
    emit(s, OP_ONCE_END, 0, 0, 0);
}

static void futex(struct script *s)
{
    unsigned x = below(s, 4) == 0;

    switch (below(s, 5)) {
    case 0: /* while (x == 0) wait */
        emit(s, OP_READ, x, 0, 0);
        emit(s, OP_SKIP_NE, 2, 0, 0);
        emit(s, OP_FUTEX_WAIT, x, 0, 0);
        emit(s, OP_BACK, 3, 0, 0);
        break;
    case 1:
        emit(s, OP_FUTEX_WAIT, x, (int)below(s, 2), below(s, 3) == 0);
        break;
    case 2:
        emit(s, OP_WRITE, x, (int)below(s, 2), 0);
        break;
    default:
        if (below(s, 2) == 0)
            emit(s, OP_WRITE, x, 1, 0);
        emit(s, OP_FUTEX_WAKE, x, 1 + (int)below(s, 2), 0);
    }
}

/* Now and then one after the other, also where only one alternative leads to it. */
static void choice(struct script *s)
{
    plain_access(s);
    if (below(s, 2) == 0)
        return;
    if (below(s, 4) == 0) {
        emit(s, OP_PICK, 2, 0, 0);
        if (below(s, 2) == 0)
            emit(s, OP_SKIP_NE, 1, (int)below(s, 2), 0);
    }
    emit(s, OP_PICK, 2 + below(s, 2), 0, 0);
    emit(s, OP_SKIP_NE, 1, (int)below(s, 2), 0);
    emit(s, below(s, 2) ? OP_WRITE : OP_READ, below(s, 2), 1, 0);
}

/* Sections that never nest, with accesses and signals inside and beside them. */
static void section(struct script *s)
{
    unsigned m = below(s, 2), kind = below(s, 5);

    if (kind == 0) {
        memory(s);
        return;
    }
    emit(s, OP_LOCK, m, 0, 0);
    if (kind == 1)
        emit(s, below(s, 3) == 0 ? OP_BROADCAST : OP_SIGNAL, 0, 0, 0);
    else if (kind == 2)
        emit(s, OP_WAIT, 0, (int)m, 0);
    else
        memory(s);
    emit(s, OP_UNLOCK, m, 0, 0);
}

/* Sections that are one step each and touch several of four cells, in any order, what they
 * touch now and then decided by what they read; or single accesses beside them.
 * is_transaction: two of them conflict only by these cells. */
static void atomic_section(struct script *s, bool is_transaction)
{
    static const uint8_t kinds[] = { OP_READ, OP_READ, OP_WRITE, OP_ADD };
    bool alone = below(s, 3) == 0;
    unsigned n = alone ? 1 : 2 + below(s, 3);

    if (s->n + 2 * n + 2 >= PROG_OPS)
        return;
    if (!alone)
        emit(s, OP_SECTION_BEGIN, 0, 0, is_transaction);
    for (unsigned i = 0; i < n; i++) {
        emit(s, kinds[below(s, 4)], below(s, 4), 1, 0);
        if (i + 1 < n && below(s, 4) == 0)
            emit(s, OP_SKIP_NE, 1, (int)below(s, 2), 0);
    }
    if (!alone)
        emit(s, OP_SECTION_END, 0, 0, is_transaction);
}

/* What the serial thread of a round does; others meet without a look. */
static void serial(struct script *s)
{
    unsigned kind = below(s, 4);

    if (kind == 0) {
        plain_access(s);
        return;
    }
    emit(s, OP_BARRIER, 0, kind != 1, 0);
    if (kind == 1)
        return;
    emit(s, OP_SKIP_NE, 1, 1, 0);
    plain_access(s);
}

static void operation(struct script *s, enum generate_family f)
{
    switch (f) {
    case GENERATE_MUTEX:
        mutex(s);
        break;
    case GENERATE_RWSEM:
        rwlock_semaphore(s);
        break;
    case GENERATE_COND:
    case GENERATE_TIMED:
        condition(s, f == GENERATE_TIMED);
        break;
    case GENERATE_BARRIER:
        if (below(s, 2) == 0)
            emit(s, OP_BARRIER, 0, 0, 0);
        else
            plain_access(s);
        break;
    case GENERATE_SERIAL:
        serial(s);
        break;
    case GENERATE_ONCE:
        once(s);
        break;
    case GENERATE_FUTEX:
        futex(s);
        break;
    case GENERATE_CHOICE:
        choice(s);
        break;
    case GENERATE_SECTIONS:
        section(s);
        break;
    case GENERATE_ATOMIC:
    case GENERATE_TRANSACTION:
        atomic_section(s, f == GENERATE_TRANSACTION);
        break;
    case GENERATE_MIXED:
        operation(s, (enum generate_family)below(s, GENERATE_MIXED));
        break;
    default:
        memory(s);
    }
}

/* Main creates the others, in between does something, and may join them. */
static void spawner(struct script *s, unsigned threads)
{
    for (unsigned t = 1; t < threads; t++) {
        emit(s, OP_CREATE, t, 0, 0);
        if (below(s, 3) == 0)
            memory(s);
    }
    for (unsigned t = 1; t < threads; t++)
        if (below(s, 2) == 0)
            emit(s, OP_JOIN, t, 0, 0);
    if (below(s, 2) == 0)
        memory(s);
}

/* Main creates the others and asks now and then whether one has ended. */
static void asker(struct script *s, unsigned threads)
{
    for (unsigned t = 1; t < threads; t++)
        emit(s, OP_CREATE, t, 0, 0);
    for (unsigned t = 1; t < threads; t++) {
        if (below(s, 2) == 0)
            plain_access(s);
        if (below(s, 3) == 0) {
            emit(s, OP_JOIN, t, 0, 0);
            continue;
        }
        emit(s, OP_TRYJOIN, t, 0, 0);
        emit(s, OP_SKIP_NE, 1, (int)below(s, 2), 0);
        plain_access(s);
    }
}

void generate(struct program *p, enum generate_family f, uint64_t seed, uint64_t index)
{
    struct hd_rng rng = hd_rng_for(seed, index);
    unsigned threads = 2 + hd_rng_below(&rng, 2);
    unsigned length = threads == 2 ? 3 : 2;

    memset(p, 0, sizeof *p);
    p->start = f == GENERATE_SPAWN || f == GENERATE_ENDS ? 0 : (uint8_t)threads;
    p->sem[0] = (uint8_t)hd_rng_below(&rng, 3);
    p->barrier[0] = (uint8_t)(2 + hd_rng_below(&rng, threads - 1));
    for (unsigned t = 0; t < threads; t++) {
        struct script s = { .op = p->op[t], .rng = &rng };
        unsigned n = 1 + below(&s, length);

        if (f == GENERATE_SPAWN && t == 0)
            spawner(&s, threads);
        else if (f == GENERATE_ENDS && t == 0)
            asker(&s, threads);
        else
            for (unsigned i = 0; i < n && s.n < PROG_OPS - 6; i++)
                operation(&s, f);
        if (f == GENERATE_ENDS)
            emit(&s, OP_LAST, 0, 0, 0);
    }
}

bool generate_is_atomic(const struct program *p)
{
    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < PROG_OPS; i++)
            if (p->op[t][i].kind == OP_SECTION_BEGIN)
                return true;
    return false;
}

const char *generate_name(enum generate_family f)
{
    static const char *const names[] = {
#define X(id, text) text,
        GENERATE_FAMILIES(X)
#undef X
    };

    return names[f];
}

void generate_print(const struct program *p, FILE *out)
{
    static const char *const names[OP_COUNT] = {
        "END", "CREATE", "JOIN", "LOCK", "UNLOCK", "READ", "WRITE", "ADD", "ASSERT_EQ",
        "ASSERT_BELOW", "YIELD", "CHOOSE", "PLAIN_ADD", "PLAIN_BELOW", "PICK", "SKIP_NE", "BACK", "CAS",
        "TRYLOCK", "WAIT", "TIMEDWAIT", "SIGNAL", "BROADCAST", "POST", "SEM_WAIT", "SEM_TRY",
        "RDLOCK", "WRLOCK", "TRYRD", "TRYWR", "RDUNLOCK", "WRUNLOCK", "BARRIER", "ONCE_BEGIN",
        "ONCE_END", "FUTEX_WAIT", "FUTEX_WAKE", "LOOP", "SECTION_BEGIN",
        "SECTION_END", "TRYJOIN", "LAST" };

    fprintf(out, "start %u sem %u barrier %u\n", p->start, p->sem[0], p->barrier[0]);
    for (unsigned t = 0; t < PROG_THREADS; t++) {
        for (unsigned i = 0; i < PROG_OPS && p->op[t][i].kind != OP_END; i++)
            fprintf(out, "%s%s(%u,%d,%d)", i == 0 ? "  " : ", ", names[p->op[t][i].kind],
                    p->op[t][i].arg, p->op[t][i].value, p->op[t][i].extra);
        if (p->op[t][0].kind != OP_END)
            fprintf(out, "\n");
    }
}
