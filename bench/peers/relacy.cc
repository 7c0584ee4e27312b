// SPDX-License-Identifier: BSD-2-Clause
//
// relacy.cc - bench/speed/mutex32.c for Relacy: three threads, twice { lock; x++; unlock } each, at random.  The argument is
// the number of executions.
#include <cstdlib>

#include <relacy/relacy.hpp>

struct mutex32 : rl::test_suite<mutex32, 3> {
    rl::mutex m;
    rl::var<int> x;

    void before()
    {
        x($) = 0;
    }

    void thread(unsigned)
    {
        for (int i = 0; i < 2; i++) {
            m.lock($);
            x($) = x($) + 1;
            m.unlock($);
        }
    }

    void after()
    {
        RL_ASSERT(x($) == 6);
    }
};

int main(int argc, char **argv)
{
    rl::test_params p;

    p.search_type = rl::random_scheduler_type;
    p.iteration_count = argc > 1 ? static_cast<rl::iteration_t>(std::atoll(argv[1])) : 1000;
    return rl::simulate<mutex32>(p) ? 0 : 1;
}
