/* SPDX-License-Identifier: BSD-2-Clause
 *
 * linear.cc - one database of leveldb, in memory, with two clients: a test of `heddle linearize`, `linear FIRST SECOND`.
 *
 * FIRST and SECOND are the operations of each client, separated by commas: "put k v", "delete k", "get k", "both v" (writes
 * a and b in one batch), "scan" (all entries by an iterator), "snapshot" (the same through a snapshot), "count" (reads a and
 * writes the next number, without a transaction: a mistake that must be found).  The database has a=1, b=1 before.  The
 * state is all its entries. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <heddle/linear.h>

#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/write_batch.h"

using leveldb::ReadOptions;
using leveldb::Status;
using leveldb::WriteOptions;

static leveldb::DB *db;
static const char *script[2];

/* Time stands still: leveldb uses it for statistics only. */
class Disk : public leveldb::EnvWrapper {
public:
    explicit Disk(leveldb::Env *env) : EnvWrapper(env) {}
    uint64_t NowMicros() override { return 0; }
};

static void must(const Status &status)
{
    if (!status.ok())
        std::abort();
}

static std::string get(const std::string &key)
{
    std::string value;
    Status status = db->Get(ReadOptions(), key, &value);

    if (status.IsNotFound())
        return "nothing";
    must(status);
    return value;
}

static std::string scan(const ReadOptions &options)
{
    std::unique_ptr<leveldb::Iterator> at(db->NewIterator(options));
    std::string all;

    for (at->SeekToFirst(); at->Valid(); at->Next())
        all += (all.empty() ? "" : " ") + at->key().ToString() + "=" + at->value().ToString();
    return all.empty() ? "nothing" : all;
}

static std::string scan_snapshot()
{
    ReadOptions options;

    options.snapshot = db->GetSnapshot();
    std::string all = scan(options);

    db->ReleaseSnapshot(options.snapshot);
    return all;
}

static std::string run(const std::string &text)
{
    char words[3][16] = { "", "", "" };

    std::sscanf(text.c_str(), "%15s %15s %15s", words[0], words[1], words[2]);
    const std::string what = words[0], key = words[1], value = words[2];

    if (what == "get")
        return get(key);
    if (what == "scan")
        return scan(ReadOptions());
    if (what == "snapshot")
        return scan_snapshot();
    if (what == "put") {
        must(db->Put(WriteOptions(), key, value));
    } else if (what == "delete") {
        must(db->Delete(WriteOptions(), key));
    } else if (what == "both") {
        leveldb::WriteBatch batch;

        batch.Put("a", key);
        batch.Put("b", key);
        must(db->Write(WriteOptions(), &batch));
    } else if (what == "count") {
        must(db->Put(WriteOptions(), "a", std::to_string(std::atoi(get("a").c_str()) + 1)));
    } else {
        std::abort();
    }
    return "done";
}

static void client(const char *operations)
{
    const std::string all = operations;

    for (size_t at = 0, end; at < all.size(); at = end + 1) {
        end = std::min(all.find(',', at), all.size());
        const std::string text = all.substr(at, end - at);

        heddle_call("%s", text.c_str());
        heddle_return("%s", run(text).c_str());
    }
}

static void first(void)
{
    client(script[0]);
}

static void second(void)
{
    client(script[1]);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    script[0] = argv[1];
    script[1] = argv[2];
    std::unique_ptr<leveldb::Env> memory(leveldb::NewMemEnv(leveldb::Env::Default()));
    Disk disk(memory.get());
    leveldb::Options options;

    options.create_if_missing = true;
    options.env = &disk;
    options.compression = leveldb::kNoCompression;
    must(leveldb::DB::Open(options, "/db", &db));
    must(db->Put(WriteOptions(), "a", "1"));
    must(db->Put(WriteOptions(), "b", "1"));
    heddle_clients(first, second);
    heddle_op("%s", scan(ReadOptions()).c_str());
    delete db;
    return 0;
}
