/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.c - one database of lmdb in one process: threads that write and threads that read.
 *
 *     HARNESS written|mapped DIRECTORY SCRIPT SCRIPT [SCRIPT]
 *
 * Scripts, one per thread: w adds one to two values in one transaction and returns what was
 * there, a does the same and gives it up, r reads both.  A transaction must see both values
 * equal, and what operations return must be explained by some order of them.  The files
 * are removed as soon as they are open, so every execution begins with none.  Pages are written
 * by system calls, or by stores into the mapping, which Heddle sees. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/linear.h>
#include <lmdb.h>

#include "../linear.h"

static MDB_env *env;
static MDB_dbi dbi;
static const char *script[LIN_THREADS];

static void must(int rc, const char *what)
{
    if (rc == 0)
        return;
    fprintf(stderr, "%s: %s\n", what, mdb_strerror(rc));
    abort();
}
#define MUST(call) must(call, #call)

static long value_of(MDB_txn *txn, int number)
{
    MDB_val key = { sizeof number, &number }, data;
    long value;

    MUST(mdb_get(txn, dbi, &key, &data));
    assert(data.mv_size == sizeof value);
    memcpy(&value, data.mv_data, sizeof value);
    return value;
}

static void set_value(MDB_txn *txn, int number, long value)
{
    MDB_val key = { sizeof number, &number }, data = { sizeof value, &value };

    MUST(mdb_put(txn, dbi, &key, &data, 0));
}

static long look(MDB_txn *txn)
{
    long a = value_of(txn, 1), b = value_of(txn, 2);

    heddle_assert(a == b);
    return a;
}

static long run(char code)
{
    MDB_txn *txn;
    long was;

    MUST(mdb_txn_begin(env, NULL, code == 'r' ? MDB_RDONLY : 0, &txn));
    was = look(txn);
    if (code != 'r') {
        set_value(txn, 1, was + 1);
        set_value(txn, 2, was + 1);
    }
    if (code == 'w')
        MUST(mdb_txn_commit(txn));
    else
        mdb_txn_abort(txn);
    return was;
}

static bool counter_twin(struct lin_state *s, const struct lin_op *op)
{
    return op->result == (op->code == 'w' ? s->item[0]++ : s->item[0]);
}

static void *work(void *arg)
{
    int t = (int)(intptr_t)arg;

    for (int i = 0; script[t][i] != '\0'; i++) {
        lin_call(t, script[t][i], 0);
        lin_return(t, run(script[t][i]));
    }
    return NULL;
}

/* For `heddle linearize` (SPECLESS): two clients, whose results are compared with those of sequential transactions of lmdb
 * itself instead of the twin. */
static void client(int t)
{
    for (int i = 0; script[t][i] != '\0'; i++) {
        heddle_call("%c", script[t][i]);
        heddle_return("%ld", run(script[t][i]));
    }
}

static void first_client(void)
{
    client(0);
}

static void second_client(void)
{
    client(1);
}

static void compare_with_itself(char **scripts)
{
    script[0] = scripts[0];
    script[1] = scripts[1];
    heddle_clients(first_client, second_client);
    heddle_op("%ld", run('r'));
    mdb_env_close(env);
}

/* Several processes run this at once: workers, and one that looks at a finding again.  They all
 * have the same getpid(); the link has the kernel's number. */
static void own_name(char *name, size_t size, const char *directory)
{
    char number[32] = "";

    if (readlink("/proc/self", number, sizeof number - 1) < 0)
        abort();
    snprintf(name, size, "%s/%012ld", directory, atol(number));
}

static void open_database(const char *directory, unsigned flags)
{
    char file[4000], lock[4096];
    MDB_txn *txn;

    own_name(file, sizeof file, directory);
    snprintf(lock, sizeof lock, "%s-lock", file);
    MUST(mdb_env_create(&env));
    MUST(mdb_env_set_mapsize(env, 64 << 10));
    MUST(mdb_env_set_maxreaders(env, 4));
    MUST(mdb_env_open(env, file, flags | MDB_NOSUBDIR | MDB_NOSYNC, 0600));
    unlink(file);
    unlink(lock);
    MUST(mdb_txn_begin(env, NULL, 0, &txn));
    MUST(mdb_dbi_open(txn, NULL, 0, &dbi));
    set_value(txn, 1, 0);
    set_value(txn, 2, 0);
    MUST(mdb_txn_commit(txn));
}

int main(int argc, char **argv)
{
    static const struct lin_state first = { { 0 }, 0 };
    pthread_t thread[LIN_THREADS];

    lin_threads = argc - 3;
    if (lin_threads < 1 || lin_threads > LIN_THREADS) {
        fprintf(stderr, "usage: %s written|mapped DIRECTORY SCRIPT [SCRIPT [SCRIPT]]\n", argv[0]);
        return 1;
    }
    open_database(argv[2], strcmp(argv[1], "mapped") == 0 ? MDB_WRITEMAP : 0);
    if (getenv("SPECLESS") != NULL && lin_threads == 2) {
        compare_with_itself(argv + 3);
        return 0;
    }
    for (intptr_t t = 0; t < lin_threads; t++) {
        script[t] = argv[3 + t];
        pthread_create(&thread[t], NULL, work, (void *)t);
    }
    for (int t = 0; t < lin_threads; t++)
        pthread_join(thread[t], NULL);
    mdb_env_close(env);
    heddle_assert(lin_holds(counter_twin, &first));
    return 0;
}
