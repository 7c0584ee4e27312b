/* SPDX-License-Identifier: BSD-2-Clause
 *
 * string_stream.cc - each thread writes into and reads from a stream of its own.  Nothing includes <iostream>, so
 * that the standard streams are never constructed. */
#include <cassert>
#include <sstream>
#include <thread>

static void worker(int n)
{
    std::ostringstream out;

    out << n << " x";
    std::istringstream in(out.str());
    int back = 0;

    in >> back;
    assert(back == n);
}

int main()
{
    std::thread a(worker, 1);

    worker(2);
    a.join();
}
