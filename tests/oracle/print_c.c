/* SPDX-License-Identifier: BSD-2-Clause
 *
 * print_c.c - one C statement per operation, by a table of templates; jumps become
 * goto.  A once is the exception: what lies between its begin and its end becomes
 * the routine that pthread_once calls. */
#include "oracle/print_c.h"

#include <string.h>

/* $a, $v and $e stand for arg, value and extra. */
static const char *const statements[OP_COUNT] = {
    [OP_JOIN] = "pthread_join(thread[$a], NULL);",
    [OP_LOCK] = "pthread_mutex_lock(&mutex[$a]);",
    [OP_UNLOCK] = "pthread_mutex_unlock(&mutex[$a]);",
    [OP_READ] = "r = atomic_load(&cell[$a]);",
    [OP_WRITE] = "atomic_store(&cell[$a], $v);",
    [OP_ADD] = "atomic_fetch_add(&cell[$a], $v);",
    [OP_ASSERT_EQ] = "assert(cell[$a] == cell[$v]);",
    [OP_ASSERT_BELOW] = "assert(cell[$a] < $v);",
    [OP_YIELD] = "sched_yield();",
    [OP_CHOOSE] = "atomic_fetch_add(&cell[$v], (int)heddle_choose($a));",
    [OP_PLAIN_ADD] = "atomic_fetch_add(&cell[$a], $v);",
    [OP_PLAIN_BELOW] = "assert(cell[$a] < $v);",
    [OP_PICK] = "r = (int)heddle_choose($a);",
    [OP_CAS] = "r = atomic_compare_exchange_strong(&cell[$a], &(int){ $v }, $e);",
    [OP_TRYLOCK] = "r = pthread_mutex_trylock(&mutex[$a]) == 0;",
    [OP_WAIT] = "r = pthread_cond_wait(&cond[$a], &mutex[$v]) == 0;",
    [OP_TIMEDWAIT] = "r = pthread_cond_timedwait(&cond[$a], &mutex[$v], &(struct timespec){ 0 }) == 0;",
    [OP_SIGNAL] = "pthread_cond_signal(&cond[$a]);",
    [OP_BROADCAST] = "pthread_cond_broadcast(&cond[$a]);",
    [OP_POST] = "sem_post(&sem[$a]);",
    [OP_SEM_WAIT] = "r = sem_wait(&sem[$a]) == 0;",
    [OP_SEM_TRY] = "r = sem_trywait(&sem[$a]) == 0;",
    [OP_RDLOCK] = "r = pthread_rwlock_rdlock(&rwlock[$a]) == 0;",
    [OP_WRLOCK] = "r = pthread_rwlock_wrlock(&rwlock[$a]) == 0;",
    [OP_TRYRD] = "r = pthread_rwlock_tryrdlock(&rwlock[$a]) == 0;",
    [OP_TRYWR] = "r = pthread_rwlock_trywrlock(&rwlock[$a]) == 0;",
    [OP_RDUNLOCK] = "pthread_rwlock_unlock(&rwlock[$a]);",
    [OP_WRUNLOCK] = "pthread_rwlock_unlock(&rwlock[$a]);",
    [OP_BARRIER] = "pthread_barrier_wait(&barrier[$a]);",
    [OP_FUTEX_WAIT] = "r = syscall(SYS_futex, &cell[$a], FUTEX_WAIT, $v, "
                      "$e ? &(struct timespec){ 0, 1000000 } : NULL) == 0;",
    [OP_FUTEX_WAKE] = "r = (int)syscall(SYS_futex, &cell[$a], FUTEX_WAKE, $v);",
    [OP_SECTION_BEGIN] = "heddle_atomic_begin();",
    [OP_SECTION_END] = "heddle_atomic_end();",
    [OP_TRYJOIN] = "r = pthread_tryjoin_np(thread[$a], NULL) == 0;",
    [OP_LAST] = "", /* what it is in programs with OP_TRYJOIN */
};

static const char includes[] =
    "#define _GNU_SOURCE\n"
    "#include <assert.h>\n#include <linux/futex.h>\n#include <pthread.h>\n#include <sched.h>\n"
    "#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    "#include <sys/syscall.h>\n#include <time.h>\n#include <unistd.h>\n"
    "#if __has_include(<heddle/heddle.h>)\n#include <heddle/heddle.h>\n#else\n"
    "static inline unsigned heddle_choose(unsigned n) { return (unsigned)rand() % n; }\n"
    "static inline void heddle_atomic_begin(void) { }\n"
    "static inline void heddle_atomic_end(void) { }\n"
    "#endif\n\n";

unsigned print_c_length(const struct program *p, unsigned thread)
{
    unsigned n = 0;

    while (n < PROG_OPS && p->op[thread][n].kind != OP_END)
        n++;
    return n;
}

static bool is_jump(const struct prog_op *op)
{
    return op->kind == OP_SKIP_NE || op->kind == OP_BACK || op->kind == OP_LOOP;
}

/* Where the jump at i leads to; may be negative when there is no such place. */
static int target(const struct program *p, unsigned t, unsigned i)
{
    const struct prog_op *op = &p->op[t][i];
    int end = (int)print_c_length(p, t);
    int to = op->kind == OP_SKIP_NE ? (int)i + 1 + op->arg : (int)i - op->arg;

    return to > end ? end : to;
}

/* Of the once that begins at i: where it ends; 0 when it is malformed.  It must be
 * begin, skip unless this thread runs it, routine without jumps, end. */
static unsigned once_end(const struct program *p, unsigned t, unsigned i)
{
    unsigned n = print_c_length(p, t), end = i + 1 + p->op[t][i + 1].arg;

    if (i + 1 >= n || p->op[t][i + 1].kind != OP_SKIP_NE || p->op[t][i + 1].value != 1 ||
        end >= n || end == i + 1 || p->op[t][end].kind != OP_ONCE_END ||
        p->op[t][end].arg != p->op[t][i].arg)
        return 0;
    for (unsigned k = i + 2; k < end; k++)
        if (is_jump(&p->op[t][k]) || p->op[t][k].kind == OP_ONCE_BEGIN)
            return 0;
    for (unsigned k = 0; k < n; k++)
        if (is_jump(&p->op[t][k]) && target(p, t, k) > (int)i && target(p, t, k) <= (int)end)
            return 0;
    return end;
}

/* Does the script create thread k before operation i? */
static bool creates_before(const struct program *p, unsigned t, unsigned i, unsigned k)
{
    for (unsigned b = 0; b < i; b++) {
        const struct prog_op *op = &p->op[t][b];

        if (op->kind == OP_CREATE && (op->arg == k || (op->arg < k && op->value >= (int)k)))
            return true;
    }
    return false;
}

/* Is the section that operation i begins closed, or the other way round? */
static bool has_other_half(const struct program *p, unsigned t, unsigned i)
{
    int by = p->op[t][i].kind == OP_SECTION_BEGIN ? 1 : -1;

    for (int k = (int)i + by; k >= 0 && k < (int)print_c_length(p, t); k += by)
        if (p->op[t][k].kind == OP_SECTION_BEGIN || p->op[t][k].kind == OP_SECTION_END)
            return p->op[t][k].kind != p->op[t][i].kind;
    return false;
}

static unsigned joins_of(const struct program *p, unsigned k)
{
    unsigned n = 0;

    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < print_c_length(p, t); i++)
            n += (p->op[t][i].kind == OP_JOIN || p->op[t][i].kind == OP_TRYJOIN) && p->op[t][i].arg == k;
    return n;
}

static bool op_possible(const struct program *p, unsigned t, unsigned i)
{
    const struct prog_op *op = &p->op[t][i];

    if (is_jump(op))
        return i > 0 && op->arg > 0 && target(p, t, i) >= 0 && op->extra >= 0;
    switch (op->kind) {
    case OP_ONCE_BEGIN:
        return once_end(p, t, i) != 0;
    case OP_CREATE:
        return t == 0 && p->start == 0 && op->arg > 0;
    case OP_JOIN:
    case OP_TRYJOIN:
        return creates_before(p, t, i, op->arg) && joins_of(p, op->arg) == 1;
    case OP_SECTION_BEGIN:
    case OP_SECTION_END:
        return has_other_half(p, t, i);
    case OP_PICK:
    case OP_CHOOSE:
        return op->arg > 0;
    case OP_BARRIER:
        return p->barrier[op->arg] > 0;
    case OP_FUTEX_WAKE:
        return op->value > 0;
    default:
        return true;
    }
}

bool print_c_possible(const struct program *p)
{
    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < print_c_length(p, t); i++)
            if (!op_possible(p, t, i))
                return false;
    return true;
}

static void print_statement(const struct prog_op *op, FILE *out)
{
    for (const char *c = statements[op->kind]; *c != '\0'; c++) {
        if (*c != '$')
            fputc(*c, out);
        else
            fprintf(out, "%d", *++c == 'a' ? op->arg : *c == 'v' ? op->value : op->extra);
    }
    fputc('\n', out);
}

static void print_jump(const struct program *p, unsigned t, unsigned i, FILE *out)
{
    const struct prog_op *op = &p->op[t][i];
    int to = target(p, t, i);

    if (op->kind == OP_BACK)
        fprintf(out, "goto at%d;\n", to);
    else if (op->kind == OP_SKIP_NE)
        fprintf(out, "if (r != %d) goto at%d;\n", op->value, to);
    else
        fprintf(out, "if (r != %d && loops++ < %d) goto at%d;\n    loops = 0;\n", op->value,
                op->extra, to);
}

/* The operation at i; returns how many it stands for. */
static unsigned print_op(const struct program *p, unsigned t, unsigned i, FILE *out)
{
    const struct prog_op *op = &p->op[t][i];

    if (op->kind == OP_CREATE) {
        for (int k = op->arg; k == op->arg || k <= op->value; k++)
            fprintf(out, "    pthread_create(&thread[%d], NULL, thread_%d, NULL);\n", k, k);
        return 1;
    }
    fprintf(out, "    ");
    if (op->kind == OP_ONCE_BEGIN) {
        fprintf(out, "pthread_once(&once[%u], once_%u_%u);\n", op->arg, t, i);
        return once_end(p, t, i) + 1 - i;
    }
    if (is_jump(op))
        print_jump(p, t, i, out);
    else if (op->kind == OP_BARRIER && op->value == 1)
        fprintf(out, "r = pthread_barrier_wait(&barrier[%u]) == PTHREAD_BARRIER_SERIAL_THREAD;\n", op->arg);
    else
        print_statement(op, out);
    return 1;
}

static bool is_target(const struct program *p, unsigned t, unsigned i)
{
    for (unsigned k = 0; k < print_c_length(p, t); k++)
        if (is_jump(&p->op[t][k]) && p->op[t][k - 1].kind != OP_ONCE_BEGIN &&
            target(p, t, k) == (int)i)
            return true;
    return false;
}

static void print_onces(const struct program *p, unsigned t, FILE *out)
{
    for (unsigned i = 0; i < print_c_length(p, t); i++) {
        if (p->op[t][i].kind != OP_ONCE_BEGIN)
            continue;
        fprintf(out, "static void once_%u_%u(void)\n{\n", t, i);
        for (unsigned k = i + 2; k < once_end(p, t, i); k++)
            print_op(p, t, k, out);
        fprintf(out, "}\n\n");
    }
}

static void print_body(const struct program *p, unsigned t, FILE *out)
{
    unsigned n = print_c_length(p, t);

    for (unsigned i = 0; i < n;) {
        if (is_target(p, t, i))
            fprintf(out, "at%u:\n", i);
        i += print_op(p, t, i, out);
    }
    if (is_target(p, t, n))
        fprintf(out, "at%u:;\n", n);
}

static void print_thread(const struct program *p, unsigned t, FILE *out)
{
    print_onces(p, t, out);
    fprintf(out, "static void *thread_%u(void *unused)\n{\n", t);
    print_body(p, t, out);
    fprintf(out, "    return unused;\n}\n\n");
}

static unsigned threads_of(const struct program *p)
{
    unsigned n = p->start > 0 ? p->start : 1;

    for (unsigned i = 0; i < print_c_length(p, 0); i++) {
        const struct prog_op *op = &p->op[0][i];

        if (op->kind != OP_CREATE)
            continue;
        n = op->arg >= n ? op->arg + 1u : n;
        n = op->value >= (int)n ? (unsigned)op->value + 1 : n;
    }
    return n;
}

#define BIT(kind) (UINT64_C(1) << OP_##kind)
static const struct {
    uint64_t kinds; /* that use it */
    const char *type, *name, *init;
} objects[] = {
    { BIT(LOCK) | BIT(UNLOCK) | BIT(TRYLOCK) | BIT(WAIT) | BIT(TIMEDWAIT), "pthread_mutex_t",
      "mutex", "PTHREAD_MUTEX_INITIALIZER" },
    { BIT(WAIT) | BIT(TIMEDWAIT) | BIT(SIGNAL) | BIT(BROADCAST), "pthread_cond_t", "cond",
      "PTHREAD_COND_INITIALIZER" },
    { BIT(RDLOCK) | BIT(WRLOCK) | BIT(TRYRD) | BIT(TRYWR) | BIT(RDUNLOCK) | BIT(WRUNLOCK),
      "pthread_rwlock_t", "rwlock", "PTHREAD_RWLOCK_INITIALIZER" },
    { BIT(ONCE_BEGIN), "pthread_once_t", "once", "PTHREAD_ONCE_INIT" },
};
static const uint64_t semaphores = BIT(POST) | BIT(SEM_WAIT) | BIT(SEM_TRY);
static const uint64_t barriers = BIT(BARRIER);
_Static_assert(OP_COUNT <= 64, "kinds are bits");

static bool uses(const struct program *p, uint64_t kinds)
{
    for (unsigned t = 0; t < PROG_THREADS; t++)
        for (unsigned i = 0; i < print_c_length(p, t); i++)
            if ((kinds >> p->op[t][i].kind & 1) != 0)
                return true;
    return false;
}

static void print_objects(const struct program *p, unsigned threads, FILE *out)
{
    fprintf(out, "%s", includes);
    fprintf(out, "__attribute__((unused)) static pthread_t thread[%u];\n", threads);
    fprintf(out, "__attribute__((unused)) static _Thread_local int r, loops;\n");
    fprintf(out, "__attribute__((unused)) static atomic_int cell[%d];\n", PROG_CELLS);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (uses(p, objects[i].kinds))
            fprintf(out, "static %s %s[%d] = { [0 ... %d] = %s };\n", objects[i].type,
                    objects[i].name, PROG_SYNCS, PROG_SYNCS - 1, objects[i].init);
    if (uses(p, semaphores))
        fprintf(out, "static sem_t sem[%d];\n", PROG_SYNCS);
    if (uses(p, barriers))
        fprintf(out, "static pthread_barrier_t barrier[%d];\n", PROG_SYNCS);
    fputc('\n', out);
}

/* Not if others join them, or main is one of them. */
bool print_c_can_join(const struct program *p)
{
    return p->start > 0 && !uses(p, BIT(JOIN) | BIT(TRYJOIN));
}

static void print_main(const struct program *p, bool joins, FILE *out)
{
    fprintf(out, "int main(void)\n{\n");
    for (unsigned i = 0; i < PROG_SYNCS; i++) {
        if (p->sem[i] > 0 && uses(p, semaphores))
            fprintf(out, "    sem_init(&sem[%u], 0, %u);\n", i, p->sem[i]);
        if (p->barrier[i] > 0 && uses(p, barriers))
            fprintf(out, "    pthread_barrier_init(&barrier[%u], NULL, %u);\n", i, p->barrier[i]);
    }
    for (unsigned t = 0; t < p->start; t++)
        fprintf(out, "    pthread_create(&thread[%u], NULL, thread_%u, NULL);\n", t, t);
    if (p->start == 0)
        print_body(p, 0, out);
    for (unsigned t = 0; joins && t < p->start; t++)
        fprintf(out, "    pthread_join(thread[%u], NULL);\n", t);
    fprintf(out, joins ? "    return 0;\n}\n" : "    pthread_exit(NULL);\n}\n");
}

static void print_program(const struct program *p, bool joins, FILE *out)
{
    unsigned n = threads_of(p);

    print_objects(p, n, out);
    if (p->start == 0)
        print_onces(p, 0, out);
    for (unsigned t = p->start == 0; t < n; t++)
        print_thread(p, t, out);
    print_main(p, joins, out);
}

void print_c(const struct program *p, FILE *out)
{
    print_program(p, false, out);
}

void print_c_joined(const struct program *p, FILE *out)
{
    print_program(p, print_c_can_join(p), out);
}
