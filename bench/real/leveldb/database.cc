/* SPDX-License-Identifier: BSD-2-Clause
 *
 * database.cc - one database of leveldb, in memory, and two or three threads that use it
 * (see ../structure.h).
 *
 * Letters of the scripts:
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
 * A reader must see both keys alike, and all results must be explained by some order of the
 * operations.  The database is closed without waiting for the background thread, which may be
 * at work, and opened again: what was written last is there.
 *
 * Files are those of leveldb's own memenv over its PosixEnv, whose background thread works
 * for them: nothing of an execution outlives it.  Structures:
 *
 *   plain    what was there before the threads begin is in the memtable
 *   table    it is in a table, as in all that follow
 *   busy     it is in four tables, and the background thread begins to make one of them
 *   logged   leveldb writes its messages into a log of ours, freed when the database is closed
 *   early    the log is freed before that (a mistake, and not leveldb's)
 *   failing  when the threads begin, logs of writes can no longer be synced
 *   full     the same of tables */
#include <pthread.h>
#include <stdint.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <heddle/heddle.h>

#include "../structure.h"
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

static void must(const Status &status)
{
    if (status.ok())
        return;
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    std::abort();
}

/* ---- the environment ------------------------------------------------------------------- */

static const char *broken; /* files of this kind cannot be synced; set while there is one thread */

class File : public leveldb::WritableFile {
public:
    File(leveldb::WritableFile *file, const std::string &name) : file_(file), name_(name) {}
    Status Append(const Slice &data) override { return file_->Append(data); }
    Status Close() override { return file_->Close(); }
    Status Flush() override { return file_->Flush(); }
    Status Sync() override
    {
        if (broken != nullptr && name_.find(broken) != std::string::npos)
            return Status::IOError("the disk is broken");
        return file_->Sync();
    }

private:
    std::unique_ptr<leveldb::WritableFile> file_;
    const std::string name_;
};

/* Time stands still: leveldb uses it for statistics only, and a clock that several threads read
 * would be one more thing of which all orders have to be tried. */
class Disk : public leveldb::EnvWrapper {
public:
    explicit Disk(leveldb::Env *env) : EnvWrapper(env) {}
    uint64_t NowMicros() override { return 0; }
    Status NewWritableFile(const std::string &name, leveldb::WritableFile **result) override
    {
        Status status = target()->NewWritableFile(name, result);

        if (status.ok())
            *result = new File(*result, name);
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

/* With a broken disk a write may fail. */
static void written(const Status &status)
{
    if (broken == nullptr || !status.IsIOError())
        must(status);
}

static long run_one(int, char code, long value)
{
    switch (code) {
    case 'w': written(write(value, false)); break;
    case 'd': written(write(0, false)); break;
    case 'r': return iterate(nullptr);
    case 's': return through_snapshot();
    case 'g': return get(first_key, nullptr);
    case 'f': written(db->Write(WriteOptions(), nullptr)); break;
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

/* The database is broken in the end; that it does not break the program is all there is to see. */
static bool any_twin(struct lin_state *, const struct lin_op *)
{
    return true;
}

/* ---- structures ------------------------------------------------------------------------ */

static leveldb::Env *memory, *disk;
static Log *messages;

static void open_database()
{
    leveldb::Options options;

    options.create_if_missing = true;
    options.env = disk;
    options.info_log = messages;
    must(DB::Open(options, "/db", &db));
}

static void begin()
{
    memory = leveldb::NewMemEnv(leveldb::Env::Default());
    disk = new Disk(memory);
    broken = nullptr;
    open_database();
    must(write(1, false));
}

static void begin_with_table()
{
    begin();
    delete db;
    open_database(); /* makes a table of what was written */
}

static void begin_busy()
{
    begin_with_table();
    for (int i = 0; i < 3; i++) {
        must(write(1, false));
        delete db;
        open_database();
    }
}

static void begin_logged()
{
    messages = new Log;
    begin_with_table();
}

static void begin_failing()
{
    begin_with_table();
    broken = ".log";
}

static void begin_full()
{
    begin_with_table();
    broken = ".ldb";
}

static void close_database()
{
    delete db;
    delete messages;
    messages = nullptr;
    delete disk;
    delete memory;
}

/* What a later reader finds, as one more operation after all others. */
static void read_again()
{
    delete db;
    open_database();
    if (lin_count[0] == LIN_OPS)
        std::abort(); /* the first script is too long */
    lin_call(0, 'r', 0);
    lin_return(0, iterate(nullptr));
    close_database();
}

static void close_without_log()
{
    delete messages;
    messages = nullptr;
    close_database();
}

static const struct structure structures[] = {
    { "plain", register_twin, { { 1 }, 0 }, begin, run_one, nullptr, read_again },
    { "table", register_twin, { { 1 }, 0 }, begin_with_table, run_one, nullptr, read_again },
    { "busy", register_twin, { { 1 }, 0 }, begin_busy, run_one, nullptr, read_again },
    { "logged", register_twin, { { 1 }, 0 }, begin_logged, run_one, nullptr, read_again },
    { "early", any_twin, { { 1 }, 0 }, begin_logged, run_one, nullptr, close_without_log },
    { "failing", any_twin, { { 1 }, 0 }, begin_failing, run_one, nullptr, close_database },
    { "full", any_twin, { { 1 }, 0 }, begin_full, run_one, nullptr, close_database },
};

TEST_MAIN(structures)
