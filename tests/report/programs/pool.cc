/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pool - a pool of threads that stops before its queue is empty.  Its destructor throws. */
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

class Pool {
public:
    explicit Pool(int n)
    {
        for (int i = 0; i < n; i++)
            threads_.emplace_back([this] { work(); });
    }

    void post(std::function<void()> job)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        ready_.notify_one();
    }

    ~Pool()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            stop_ = true;
        }
        ready_.notify_all();
        for (auto &t : threads_)
            t.join();
        if (!jobs_.empty())
            throw std::runtime_error("jobs lost");
    }

private:
    void work()
    {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex_);
            while (jobs_.empty() && !stop_)
                ready_.wait(lock);
            if (stop_)
                return;
            auto job = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            job();
        }
    }

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<std::function<void()>> jobs_;
    bool stop_ = false;
    std::vector<std::thread> threads_;
};

int main()
{
    auto pool = std::make_unique<Pool>(2);

    for (int i = 0; i < 2; i++)
        pool->post([] {});
    pool.reset();
}
