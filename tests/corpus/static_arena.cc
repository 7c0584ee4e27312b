/* SPDX-License-Identifier: BSD-2-Clause
 *
 * static_arena - a static object that maps its own memory, as allocators and loggers do.
 *
 * Claim: the memory is fresh in every execution.  True. */
#include <cassert>
#include <sys/mman.h>
#include <thread>

namespace {

struct arena {
    char *base;

    arena()
        : base(static_cast<char *>(
              mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)))
    {
    }
    int next() { return base[0]++; }
} arena;

} // namespace

int main()
{
    std::thread other([] {});

    assert(arena.next() == 0);
    other.join();
}
