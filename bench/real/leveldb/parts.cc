/* SPDX-License-Identifier: BSD-2-Clause
 *
 * parts.cc - leveldb's skiplist and its cache by themselves (see ../structure.h).
 *
 *   skiplist   begins empty; the first key that is put in is the first of two levels
 *   longlist   has eight keys; the next one is on two levels
 *     a to e   puts a key in: one thread does so at a time, as leveldb's writers do
 *     A to E   is that key there?
 *     i, j     goes through the list, forwards or backwards: keys come in order, and all that
 *              were there at the beginning
 *   cache      one key
 *     p        puts a value in, in the place of the one that was there
 *     g        looks it up, reads it, and gives it back
 *     h        the same, and looks it up again before it gives it back
 *     e        erases it
 *     u        drops what no thread holds
 *
 * Values of the cache are blocks, which its deleter frees: one that is freed too early, twice
 * or never is a finding. */
#include "../structure.h"

#include <cctype>
#include <memory>

#include "db/skiplist.h"
#include "leveldb/cache.h"
#include "util/arena.h"

/* ---- skiplist -------------------------------------------------------------------------- */

struct Order {
    int operator()(long a, long b) const { return (a > b) - (a < b); }
};
typedef leveldb::SkipList<long, Order> List;

static std::unique_ptr<leveldb::Arena> arena;
static std::unique_ptr<List> list;
static int there; /* keys 10, 20 ... are there from the beginning */

static void make_list(int n)
{
    arena.reset(new leveldb::Arena);
    list.reset(new List(Order(), arena.get()));
    there = n;
    for (long i = 1; i <= n; i++)
        list->Insert(10 * i);
}

static void short_list()
{
    make_list(0);
}

static void long_list()
{
    make_list(8);
}

static void free_list()
{
    list.reset();
    arena.reset();
}

static long key_of(char code)
{
    return 10 * (std::tolower(code) - 'a') + 5;
}

static void go_through(bool forwards)
{
    List::Iterator i(list.get());
    long last = forwards ? 0 : 1000;
    int n = 0;

    for (forwards ? i.SeekToFirst() : i.SeekToLast(); i.Valid(); forwards ? i.Next() : i.Prev()) {
        heddle_assert(forwards ? last < i.key() : last > i.key());
        last = i.key();
        n += last % 10 == 0;
    }
    heddle_assert(n == there);
}

static long run_list(int, char code, long)
{
    if (code == 'i' || code == 'j')
        go_through(code == 'i');
    else if (std::isupper(code))
        return list->Contains(key_of(code));
    else
        list->Insert(key_of(code));
    return LIN_DONE;
}

static bool set_twin(struct lin_state *s, const struct lin_op *op)
{
    long *has = &s->item[std::tolower(op->code) - 'a'];

    if (std::isupper(op->code))
        return op->result == *has;
    *has = 1;
    return op->result == LIN_DONE;
}

/* ---- cache ----------------------------------------------------------------------------- */

static std::unique_ptr<leveldb::Cache> cache;
static const char name[] = "key";

static void make_cache()
{
    cache.reset(leveldb::NewLRUCache(100));
}

static void free_cache()
{
    cache.reset();
}

static void free_value(const leveldb::Slice &, void *value)
{
    delete static_cast<long *>(value);
}

static long look_up(bool twice)
{
    leveldb::Cache::Handle *handle = cache->Lookup(name), *again = nullptr;
    long value;

    if (handle == nullptr)
        return LIN_NOTHING;
    if (twice)
        again = cache->Lookup(name);
    value = *static_cast<long *>(cache->Value(handle));
    cache->Release(handle);
    if (again != nullptr)
        cache->Release(again);
    return value;
}

static long run_cache(int, char code, long value)
{
    switch (code) {
    case 'p': cache->Release(cache->Insert(name, new long(value), 1, free_value)); break;
    case 'g':
    case 'h': return look_up(code == 'h');
    case 'e': cache->Erase(name); break;
    case 'u': cache->Prune(); break;
    default: abort();
    }
    return LIN_DONE;
}

/* What Prune leaves depends on who holds it: an entry in use stays.  So once it has run, or runs,
 * a look-up may find nothing where the twin has a value. */
static bool cache_twin(struct lin_state *s, const struct lin_op *op)
{
    if (op->code == 'p' || op->code == 'e')
        s->item[0] = op->code == 'p' ? op->arg : (long)LIN_NOTHING;
    if (op->code == 'u')
        s->item[1] = 1;
    if (op->code == 'g' || op->code == 'h')
        return op->result == s->item[0] || (s->item[1] && op->result == LIN_NOTHING);
    return op->result == LIN_DONE;
}

static const struct structure structures[] = {
    { "skiplist", set_twin, { { 0 }, 0 }, short_list, run_list, nullptr, free_list },
    { "longlist", set_twin, { { 0 }, 0 }, long_list, run_list, nullptr, free_list },
    { "cache", cache_twin, { { 0 }, 0 }, make_cache, run_cache, nullptr, free_cache },
};

TEST_MAIN(structures)
