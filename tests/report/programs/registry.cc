/* SPDX-License-Identifier: BSD-2-Clause
 *
 * registry.cc - a registry of handlers: one thread registers a handler while another looks one up. */
#include <map>
#include <thread>

static std::map<int, int> handlers;

static void add(int id)
{
    handlers.emplace(id, 10 * id);
}

static bool knows(int id)
{
    return handlers.find(id) != handlers.end();
}

int main()
{
    add(5);
    std::thread other(add, 7);
    bool known = knows(9);

    other.join();
    return known;
}
