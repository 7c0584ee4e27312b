/* SPDX-License-Identifier: BSD-2-Clause
 *
 * buffer_catch - a test of Catch2.  A consumer asks whether the buffer is empty and takes an element in two critical
 * sections: between them another one takes it. */
#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

template <typename T> class Buffer {
public:
    void put(T value)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        items_.push_back(std::move(value));
    }

    bool empty()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        return items_.empty();
    }

    bool take(T &value)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (items_.empty())
            return false;
        value = std::move(items_.front());
        items_.pop_front();
        return true;
    }

private:
    std::mutex mutex_;
    std::deque<T> items_;
};

using Message = std::pair<int, std::string>;

TEST_CASE("whoever sees an element can take it")
{
    Buffer<Message> buffer;
    std::atomic<int> missed{0};
    auto consume = [&] {
        Message message;

        if (!buffer.empty() && !buffer.take(message))
            missed++;
    };

    buffer.put({1, "one"});
    std::thread other(consume);
    consume();
    other.join();
    REQUIRE(missed == 0);
}
