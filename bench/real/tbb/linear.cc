// SPDX-License-Identifier: BSD-2-Clause
//
// linear.cc - oneTBB's containers: `linear STRUCTURE`, a test of `heddle linearize`.
//
// The templates of the headers are compiled with the test; of the library only its allocator and its waiting are used.
#include <heddle/linear.h>

#include <cstring>

#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_queue.h>

namespace {

oneapi::tbb::concurrent_queue<int> queue;
oneapi::tbb::concurrent_bounded_queue<int> bounded;
using map_type = oneapi::tbb::concurrent_hash_map<int, int>;
map_type map;

// ---- queues -----------------------------------------------------------------------------

int take()
{
    int v;

    return queue.try_pop(v) ? v : 0;
}

void queue_one()
{
    heddle_op_void(queue.push(1));
    heddle_op("%d", take());
}

void queue_two()
{
    heddle_op_void(queue.push(2));
    heddle_op("%d", take());
}

int take_bounded()
{
    int v;

    return bounded.try_pop(v) ? v : 0;
}

void bounded_one()
{
    heddle_op("%d", bounded.try_push(1));
    heddle_op("%d", take_bounded());
}

void bounded_two()
{
    heddle_op("%d", bounded.try_push(2));
}

void size_one()
{
    heddle_op_void(queue.push(1));
    heddle_op_void(queue.push(2));
}

void size_two()
{
    heddle_op("%d", take());
    heddle_op("%d", (int)queue.unsafe_size());
}

// ---- maps ----------------------------------------------------------------------------------

int insert(int key, int value)
{
    map_type::accessor a;
    bool is_new = map.insert(a, key);

    if (is_new)
        a->second = value;
    return is_new;
}

int find(int key)
{
    map_type::const_accessor a;

    return map.find(a, key) ? a->second : 0;
}

void map_one()
{
    heddle_op("%d", insert(1, 10));
    heddle_op("%d", find(1));
}

void map_two()
{
    heddle_op("%d", insert(1, 20));
    heddle_op("%d", map.erase(1));
}

void keys_one()
{
    heddle_op("%d", insert(1, 10));
    heddle_op("%d", (int)map.size());
}

void keys_two()
{
    heddle_op("%d", insert(2, 20));
    heddle_op("%d", find(1));
}

// A mistake: the entry is not held between the look and the change.
int add_one(int key)
{
    int seen = find(key);
    map_type::accessor a;

    map.insert(a, key);
    a->second = seen + 1;
    return seen + 1;
}

void torn_one()
{
    heddle_op("%d", add_one(1));
}

void torn_two()
{
    heddle_op("%d", add_one(1));
}

void drain_queue()
{
    heddle_sequence("queue");
    for (int v; queue.try_pop(v);)
        heddle_element("%d", v);
}

void show_map()
{
    heddle_map("map");
    for (const auto &entry : map)
        heddle_element("%d=%d", entry.first, entry.second);
}

} // namespace

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (std::strcmp(what, "queue") == 0) {
        heddle_clients(queue_one, queue_two);
        drain_queue();
    } else if (std::strcmp(what, "bounded") == 0) {
        bounded.set_capacity(1);
        heddle_clients(bounded_one, bounded_two);
        heddle_op("%d", take_bounded());
    } else if (std::strcmp(what, "size") == 0) {
        heddle_clients(size_one, size_two);
        drain_queue();
    } else if (std::strcmp(what, "map") == 0) {
        heddle_clients(map_one, map_two);
        show_map();
    } else if (std::strcmp(what, "keys") == 0) {
        heddle_clients(keys_one, keys_two);
        show_map();
    } else if (std::strcmp(what, "torn") == 0) {
        heddle_clients(torn_one, torn_two);
        show_map();
    } else {
        return 1;
    }
    return 0;
}
