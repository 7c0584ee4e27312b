// SPDX-License-Identifier: BSD-2-Clause
//
// caf.cpp - heddle.c with libcaf 0.17.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include <caf/all.hpp>

using namespace caf;

using ball = atom_constant<atom("ball")>;
using burst = atom_constant<atom("burst")>;
using take = atom_constant<atom("take")>;
using there = atom_constant<atom("there")>;
using back = atom_constant<atom("back")>;

struct counter {
    long taken = 0;
};

static behavior one(stateful_actor<counter> *self)
{
    return {
        [=](ball, const actor &from, long left) {
            self->state.taken++;
            if (left > 0)
                self->send(from, ball::value, actor_cast<actor>(self), left - 1);
        },
        [=](burst, const actor &to, long n) {
            for (long i = 0; i < 100 && i < n; i++)
                self->send(to, take::value);
            if (n > 100)
                self->send(self, burst::value, to, n - 100);
            else
                self->quit();
        },
        [=](take, long n) {
            if (++self->state.taken == n)
                self->quit();
        },
        [=](take) { self->state.taken++; },
    };
}

static double seconds(clockid_t clock)
{
    timespec t;

    clock_gettime(clock, &t);
    return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

static void round_trips(actor_system &system, long n)
{
    std::vector<double> trips;
    scoped_actor self{system};

    trips.reserve(n);
    auto other = system.spawn([](event_based_actor *me) -> behavior {
        return { [=](there, const actor &from) { me->send(from, back::value, actor_cast<actor>(me)); } };
    });
    auto first = system.spawn([&trips, n](event_based_actor *me, actor tell) -> behavior {
        auto started = std::make_shared<double>(0);
        return { [=, &trips](back, const actor &from) {
            double now = seconds(CLOCK_MONOTONIC);

            if (*started != 0)
                trips.push_back(now - *started);
            *started = seconds(CLOCK_MONOTONIC);
            if (long(trips.size()) < n)
                me->send(from, there::value, actor_cast<actor>(me));
            else
                me->send(tell, take::value);
        } };
    }, actor_cast<actor>(self));
    anon_send(first, back::value, other);
    self->receive([](take) {});
    std::sort(trips.begin(), trips.end());
    std::printf("%.0f %.0f\n", trips[n / 2] * 1e9, trips[n - n / 100 - 1] * 1e9);
}

static long resident()
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f == nullptr || fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f != nullptr)
        fclose(f);
    return pages * 4096;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "pingpong", *workers = getenv("WORKERS");
    long n = argc > 2 ? atol(argv[2]) : 1000000;
    actor_system_config cfg;

    cfg.set("scheduler.max-threads", workers != nullptr ? atoi(workers) : 1);
    actor_system system{cfg};

    if (strcmp(what, "actors") == 0) {
        std::vector<actor> many;
        many.reserve(n);
        long before = resident();

        for (long i = 0; i < n; i++)
            many.push_back(system.spawn(one));
        std::printf("%.0f\n", double(resident() - before) / double(n));
        many.clear();
        std::fflush(stdout);
        std::_Exit(0);
    }
    if (strcmp(what, "roundtrip") == 0) {
        round_trips(system, n);
        std::fflush(stdout);
        std::_Exit(0);
    }
    double begin = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    scoped_actor self{system};

    if (strcmp(what, "pingpong") == 0) {
        // the second actor tells us when it has the last ball
        auto last = system.spawn([](event_based_actor *me, actor tell, long) -> behavior {
            return { [=](ball, const actor &from, long left) {
                if (left <= 1)
                    me->send(tell, take::value);
                if (left > 0)
                    me->send(from, ball::value, actor_cast<actor>(me), left - 1);
            } };
        }, actor_cast<actor>(self), n);
        anon_send(system.spawn(one), ball::value, last, n - 1);
        self->receive([](take) {});
    } else {
        auto to = system.spawn([](event_based_actor *me, actor tell, long all) -> behavior {
            auto taken = std::make_shared<long>(0);
            return { [=](take) {
                if (++*taken == all)
                    me->send(tell, take::value);
            } };
        }, actor_cast<actor>(self), n / 8 * 8);
        for (int i = 0; i < 8; i++)
            anon_send(system.spawn(one), burst::value, to, n / 8);
        self->receive([](take) {});
    }
    std::printf("%.0f %.0f\n", double(n) / (seconds(CLOCK_MONOTONIC) - begin), double(n) / (seconds(CLOCK_PROCESS_CPUTIME_ID) - used));
    std::fflush(stdout); // actors may still wait for each other
    std::_Exit(0);
}
