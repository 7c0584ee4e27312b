/* SPDX-License-Identifier: BSD-2-Clause
 *
 * harness.cc - one database of leveldb, in memory, and two or three threads that use it.
 *
 *     HARNESS plain|table|logged|early|failing SCRIPT [SCRIPT [SCRIPT]] [ROUNDS]
 *
 * Scripts, one per thread, one letter for each operation:
 *
 *   w, d   write or delete two keys in one batch
 *   r      reads both with an iterator, after which there is nothing more
 *   s      reads both through a snapshot, with a search and with an iterator
 *   g      reads one of them
 *   f      a full memtable: it becomes immutable, and the background thread writes it out
 *   c      compacts the whole range, and waits for that
 *   k      the same, and what this thread has written must have left memory after it
 *   e      a write that waits for the disk, which fails
 *
 * A reader must see both keys alike, a reading thread its own last write or a later one, and
 * all results must be explained by some order of the operations.  At the end the
 * database is opened again: what was written last is there.  It is closed without waiting for
 * the background thread, which may be at work.
 *
 * Files are those of leveldb's own memenv over its PosixEnv, whose background thread runs
 * them: nothing of an execution outlives it.  What was there before the threads begin is in the
 * memtable (`plain`), or in a table (all other modes).  `logged` has leveldb write its messages
 * into a log of ours, which is freed when the database is closed; `early` frees it before
 * (which is a mistake).  In `failing` the disk is broken when the threads begin.
 *
 * More than one round is for a native run, whose speed is measured. */
#include <pthread.h>
#include <stdint.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <heddle/heddle.h>

#include "../linear.h"
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/write_batch.h"

using leveldb::DB;
using leveldb::Iterator;
using leveldb::ReadOptions;
using leveldb::Slice;
using leveldb::Status;
using leveldb::WriteOptions;

static DB *db;
static const char *script[LIN_THREADS];

static void must(const Status &status)
{
    if (status.ok())
        return;
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    std::abort();
}

/* ---- the environment ------------------------------------------------------------------- */

static bool broken; /* the disk; set while there is one thread */

class File : public leveldb::WritableFile {
public:
    explicit File(leveldb::WritableFile *file) : file_(file) {}
    Status Append(const Slice &data) override { return file_->Append(data); }
    Status Close() override { return file_->Close(); }
    Status Flush() override { return file_->Flush(); }
    Status Sync() override { return broken ? Status::IOError("the disk is broken") : file_->Sync(); }

private:
    std::unique_ptr<leveldb::WritableFile> file_;
};

/* Logs of writes go to the disk that breaks; tables and the rest stay what they are.  Time stands
 * still: leveldb uses it for statistics only, and a clock that several threads read would be
 * one more thing of which all orders have to be tried. */
class Disk : public leveldb::EnvWrapper {
public:
    explicit Disk(leveldb::Env *env) : EnvWrapper(env) {}
    uint64_t NowMicros() override { return 0; }
    Status NewWritableFile(const std::string &name, leveldb::WritableFile **result) override
    {
        Status status = target()->NewWritableFile(name, result);

        if (status.ok() && name.find(".log") != std::string::npos)
            *result = new File(*result);
        return status;
    }
};

class Log : public leveldb::Logger {
public:
    void Logv(const char *format, std::va_list arguments) override
    {
        char line[200];

        std::vsnprintf(line, sizeof line, format, arguments);
        pthread_mutex_lock(&mutex_);
        last_ = line;
        pthread_mutex_unlock(&mutex_);
    }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    std::string last_;
};

/* ---- operations ------------------------------------------------------------------------ */

static const char first_key[] = "a", second_key[] = "b";

static long number(const std::string &text)
{
    return std::strtol(text.c_str(), nullptr, 10);
}

/* 0 is what a key has that is not there. */
static long get(const char *key, const leveldb::Snapshot *snapshot)
{
    ReadOptions options;
    std::string value;

    options.snapshot = snapshot;
    Status status = db->Get(options, key, &value);
    if (status.IsNotFound())
        return 0;
    must(status);
    return number(value);
}

static long iterate(const leveldb::Snapshot *snapshot)
{
    ReadOptions options;
    long value[2] = { 0, 0 };
    int n = 0;

    options.snapshot = snapshot;
    std::unique_ptr<Iterator> i(db->NewIterator(options));
    for (i->SeekToFirst(); i->Valid(); i->Next()) {
        heddle_assert(n < 2 && i->key() == Slice(n == 0 ? first_key : second_key));
        value[n++] = number(i->value().ToString());
    }
    must(i->status());
    heddle_assert(value[0] == value[1]); /* a batch is there as a whole, or not at all */
    return value[0];
}

static long through_snapshot()
{
    const leveldb::Snapshot *snapshot = db->GetSnapshot();
    long first = get(first_key, snapshot), second = get(second_key, snapshot);

    heddle_assert(first == second && iterate(snapshot) == first);
    db->ReleaseSnapshot(snapshot);
    return first;
}

static Status write(long value, bool sync)
{
    leveldb::WriteBatch batch;
    WriteOptions options;

    options.sync = sync;
    for (const char *key : { first_key, second_key })
        if (value != 0)
            batch.Put(key, std::to_string(value));
        else
            batch.Delete(key);
    return db->Write(options, &batch);
}

static int tables()
{
    int n = 0;
    std::string value;

    for (int level = 0; db->GetProperty("leveldb.num-files-at-level" + std::to_string(level), &value); level++)
        n += (int)number(value);
    return n;
}

static long run(char code, long value)
{
    switch (code) {
    case 'w': must(write(value, false)); break;
    case 'd': must(write(0, false)); break;
    case 'r': return iterate(nullptr);
    case 's': return through_snapshot();
    case 'g': return get(first_key, nullptr);
    case 'f': must(db->Write(WriteOptions(), nullptr)); break;
    case 'c': db->CompactRange(nullptr, nullptr); break;
    case 'k':
        db->CompactRange(nullptr, nullptr);
        heddle_assert(tables() > 0);
        break;
    case 'e': heddle_assert(write(value, true).IsIOError()); break;
    default: std::abort();
    }
    return LIN_DONE;
}

static bool register_twin(struct lin_state *s, const struct lin_op *op)
{
    if (op->code == 'w' || op->code == 'd')
        s->item[0] = op->code == 'w' ? op->arg : 0;
    return op->code == 'r' || op->code == 's' || op->code == 'g' ? op->result == s->item[0] : op->result == LIN_DONE;
}

/* ---- one execution --------------------------------------------------------------------- */

static void *work(void *argument)
{
    int t = (int)(intptr_t)argument;

    for (int i = 0; script[t][i] != '\0'; i++) {
        long value = 10 * (t + 1) + i;

        lin_call(t, script[t][i], value);
        lin_return(t, run(script[t][i], value));
    }
    return nullptr;
}

static void run_threads()
{
    pthread_t thread[LIN_THREADS];

    for (int t = 0; t < lin_threads; t++) {
        lin_count[t] = 0;
        atomic_store_explicit(&lin_returned[t], 0, memory_order_relaxed);
    }
    for (intptr_t t = 0; t < lin_threads; t++)
        pthread_create(&thread[t], nullptr, work, (void *)t);
    for (int t = 0; t < lin_threads; t++)
        pthread_join(thread[t], nullptr);
}

/* What a later reader would find, as one more operation after all others. */
static void read_at_last()
{
    lin_call(0, 'r', 0);
    lin_return(0, iterate(nullptr));
}

static void open_database(leveldb::Env *env, Log *log)
{
    leveldb::Options options;

    options.create_if_missing = true;
    options.env = env;
    options.info_log = log;
    must(DB::Open(options, "/db", &db));
}

static void round(const std::string &mode)
{
    static const struct lin_state first = { { 1 }, 0 };
    std::unique_ptr<leveldb::Env> memory(leveldb::NewMemEnv(leveldb::Env::Default()));
    Disk disk(memory.get());
    std::unique_ptr<Log> log(mode == "logged" || mode == "early" ? new Log : nullptr);

    open_database(&disk, log.get());
    must(write(1, false));
    if (mode != "plain") { /* who opens it again makes a table of what was written */
        delete db;
        open_database(&disk, log.get());
    }
    broken = mode == "failing";
    run_threads();
    if (mode == "early")
        log.reset();
    delete db;
    if (mode == "failing" || mode == "early")
        return;
    open_database(&disk, log.get());
    read_at_last();
    delete db;
    heddle_assert(lin_holds(register_twin, &first));
}

int main(int argc, char **argv)
{
    int rounds = 1;

    if (argc > 3 && std::atoi(argv[argc - 1]) > 0)
        rounds = std::atoi(argv[--argc]);
    lin_threads = argc - 2;
    if (lin_threads < 1 || lin_threads > LIN_THREADS) {
        std::fprintf(stderr, "usage: %s plain|table|logged|early|failing SCRIPT [SCRIPT [SCRIPT]] [ROUNDS]\n", argv[0]);
        return 1;
    }
    for (int t = 0; t < lin_threads; t++)
        script[t] = argv[2 + t];
    while (rounds-- > 0)
        round(argv[1]);
    return 0;
}
