/* SPDX-License-Identifier: BSD-2-Clause
 *
 * container_nodes.cc - two threads use a container whose nodes libstdc++ links, in functions of the library.
 *   HOW 0  one inserts into a map while the other looks up
 *       1  one erases from a map while the other goes through it backwards
 *       2  both change the links of a list
 *       3  as 0 to 2, ordered by a mutex: correct
 *       4  both only read the map: correct */
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <thread>

static std::map<int, int> tree;
static std::list<int> chain{ 1, 2, 3 };
static std::mutex lock;

static int sum()
{
    int n = 0;

    for (auto at = tree.rbegin(); at != tree.rend(); ++at)
        n += at->first;
    for (const auto &entry : tree)
        n += entry.first;
    return n;
}

static void first()
{
#if HOW == 0
    tree.emplace(99, 1);
#elif HOW == 1
    tree.erase(7);
#elif HOW == 2
    chain.reverse();
#elif HOW == 3
    std::lock_guard<std::mutex> guard(lock);
    for (int i = 40; i < 60; i += 2)
        tree.emplace(i, 1);
    for (int i = 40; i < 60; i += 2)
        tree.erase(i);
    chain.reverse();
    chain.push_front(0);
#else
    assert(sum() == 2 * 29 * 15);
#endif
}

static void second()
{
#if HOW == 0
    assert(tree.find(98) == tree.end());
#elif HOW == 1
    assert(sum() >= 2 * (29 * 15 - 7));
#elif HOW == 2
    chain.splice(chain.begin(), chain, std::prev(chain.end()));
#elif HOW == 3
    std::lock_guard<std::mutex> guard(lock);
    assert(sum() == 2 * 29 * 15);
    chain.splice(chain.begin(), chain, std::prev(chain.end()));
    chain.sort();
#else
    assert(sum() == 2 * 29 * 15);
#endif
}

int main()
{
    for (int i = 1; i < 30; i++)
        tree.emplace(i, 1);
    std::thread other(first);
    second();
    other.join();
    return 0;
}
