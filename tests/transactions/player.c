/* SPDX-License-Identifier: BSD-2-Clause
 *
 * player.c - runs a small program with hardware transactions, given as text: one argument per thread, three characters
 * per operation (oracle.py says what they mean).  The exit code is a hash of the final state.
 *
 *     player coarse|exact|nested /LIST THREAD... [/LIST THREAD...]
 *
 * Of several programs, Heddle chooses one.  The exit code is 0 if the program's list has the hash; then the hash is all that
 * is left in memory, so that states can be counted.
 *
 * Inside a transaction all accesses to cells are plain, outside atomic. */
#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>

#include <heddle/heddle.h>

enum { CELLS = 2, THREADS = 3, OPS = 40, OTHER = 9, PROGRAMS = 32 };

static atomic_int cell[CELLS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int result[THREADS];
static char *text[THREADS];
static int guarded; /* by the mutex: all accesses are plain */
static int is_exact;   /* the bits of a status count */
static int tells_nested; /* ... also whether a conflict came while a nested transaction ran */
static volatile int final; /* read by nobody but Heddle */

static int *plain(int i)
{
    return (int *)(void *)&cell[i];
}

/* The code of an explicit abort, or OTHER; if exact, also the other bits of the status. */
static int told(unsigned status)
{
    int bits = (int)(status & (_XABORT_RETRY | _XABORT_CONFLICT | _XABORT_CAPACITY | _XABORT_NESTED));

    if (status & _XABORT_CONFLICT && !tells_nested)
        bits &= ~_XABORT_NESTED; /* oracle.py says why */
    if (!is_exact)
        return status & _XABORT_EXPLICIT ? (int)_XABORT_CODE(status) : OTHER;
    return bits + (status & _XABORT_EXPLICIT ? 100 + (int)_XABORT_CODE(status) : 0);
}

static void abort_with(int code)
{
    if (code == 1)
        _xabort(1);
    else
        _xabort(2);
}

static void access_plainly(char op, int x, int v, int *reg)
{
    if (op == 'r')
        *reg = *plain(x);
    else if (op == 'w')
        *plain(x) = v;
    else if (op == 's')
        *plain(x) = *reg;
    else if (op == 'a')
        *plain(x) += v;
    else if ((*reg = *plain(x) == v))
        *plain(x) = 5;
}

static void access_atomically(char op, int x, int v, int *reg)
{
    int expected = v;

    if (op == 'r')
        *reg = cell[x];
    else if (op == 'w')
        cell[x] = v;
    else if (op == 's')
        cell[x] = *reg;
    else if (op == 'a')
        cell[x] += v;
    else
        *reg = atomic_compare_exchange_strong(&cell[x], &expected, 5);
}

static int play(const char *from)
{
    char ops[3 * OPS + 3];
    int reg = 0, status = 0;
    size_t n = 0;

    for (; from[3 * n] != '\0'; n++) /* byte by byte, because dpor-lazy claims nothing after a copy of many bytes */
        for (size_t i = 3 * n; i < 3 * n + 3; i++)
            ops[i] = from[i];
    for (size_t pc = 0; pc < n; pc++) {
        char op = ops[3 * pc];
        int x = ops[3 * pc + 1] - '0', v = ops[3 * pc + 2] - '0';
        unsigned begun;

        switch (op) {
        case 'B':
            begun = _xbegin();
            if (begun != _XBEGIN_STARTED) {
                status = told(begun);
                pc += (size_t)x;
            }
            break;
        case 'E':
            _xend();
            pc += (size_t)x;
            break;
        case 'X':
            abort_with(x);
            break;
        case 'i':
            pc += reg != x ? (size_t)v : 0;
            break;
        case 't':
            reg = status;
            break;
        case 'l':
            pthread_mutex_lock(&mutex);
            break;
        case 'u':
            pthread_mutex_unlock(&mutex);
            break;
        case 'p':
            guarded = guarded * 2 + x;
            reg = guarded;
            break;
        case 'W':
            while (cell[x] != v)
                continue;
            break;
        default:
            if (_xtest())
                access_plainly(op, x, v, &reg);
            else
                access_atomically(op, x, v, &reg);
        }
    }
    return reg;
}

static void *run(void *number)
{
    size_t i = (size_t)number;

    result[i] = play(text[i]);
    return NULL;
}

/* The list has two letters for each code: A + code / 16, A + code % 16. */
static int is_listed(const char *list, int code)
{
    for (; list[0] != '\0'; list += 2)
        if (list[0] == 'A' + code / 16 && list[1] == 'A' + code % 16)
            return 1;
    return 0;
}

static int end_with(int code)
{
    for (int i = 0; i < CELLS; i++)
        cell[i] = 0;
    for (int i = 0; i < THREADS; i++) {
        result[i] = 0;
        text[i] = NULL;
    }
    guarded = 0;
    final = code;
    return 0;
}

/* Runs the threads; the code that they leave. */
static int run_all(char **threads)
{
    pthread_t thread[THREADS];
    unsigned h = 1;
    int n = 0;

    for (; threads[n] != NULL && threads[n][0] != '/'; n++) {
        text[n] = threads[n];
        pthread_create(&thread[n], NULL, run, (void *)(size_t)n);
    }
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < CELLS; i++)
        h = h * 31 + (unsigned)cell[i] + 1;
    h = h * 31 + (unsigned)guarded + 1;
    for (int i = 0; i < n; i++)
        h = h * 31 + (unsigned)result[i] + 1;
    return 1 + (int)(h % 251);
}

int main(int argc, char **argv)
{
    char **program[PROGRAMS];
    int n = 0, k, code;

    tells_nested = argv[1][0] == 'n';
    is_exact = tells_nested || argv[1][0] == 'e';
    for (int i = 2; i < argc; i++)
        if (argv[i][0] == '/')
            program[n++] = &argv[i];
    k = n > 1 ? heddle_choose(n) : 0;
    code = run_all(program[k] + 1);
    return is_listed(program[k][0] + 1, code) ? end_with(256 * k + code) : code;
}
