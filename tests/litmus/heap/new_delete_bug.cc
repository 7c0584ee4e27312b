/* SPDX-License-Identifier: BSD-2-Clause
 *
 * new_delete_bug.cc - an array of new[] is read after delete[] in another thread, in
 * some orders; what belongs to a shared pointer is not. */
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static int *numbers;
static int sum;

static void reader()
{
    std::lock_guard<std::mutex> guard(lock);

#ifdef FIXED
    if (numbers == nullptr)
        return;
#endif
    sum += numbers[2];
}

int main()
{
    auto shared = std::make_shared<std::vector<std::string>>(3, std::string(40, 'x'));

    numbers = new int[3]();
    std::thread t([shared] {
        reader();
        if (shared->at(1)[0] != 'x')
            std::abort();
    });

    shared.reset();
    {
        std::lock_guard<std::mutex> guard(lock);

        delete[] numbers;
#ifdef FIXED
        numbers = nullptr;
#endif
    }
    t.join();
    return 0;
}
