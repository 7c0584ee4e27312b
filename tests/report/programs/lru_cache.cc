/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lru_cache - a cache with a capacity, a time to live and a thread that evicts.  visit() looks an entry up in one
 * critical section and pins it in the next: in between it can be evicted. */
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

namespace cache {

using Clock = std::chrono::steady_clock;

struct Entry {
    std::string key;
    std::string value;
    Clock::time_point expires;
    int pins = 0;
};

struct Stats {
    std::atomic<long> hits{0}, misses{0}, evictions{0};
};

class LruCache {
public:
    LruCache(size_t capacity, Clock::duration ttl)
        : capacity_(capacity), ttl_(ttl), evictor_([this] { evict_loop(); })
    {
    }

    ~LruCache()
    {
        {
            std::lock_guard<std::mutex> g(lock_);
            stopping_ = true;
        }
        wake_.notify_one();
        evictor_.join();
    }

    void put(const std::string &key, std::string value)
    {
        std::unique_lock<std::mutex> g(lock_);
        auto it = index_.find(key);
        if (it != index_.end()) {
            it->second->value = std::move(value);
            it->second->expires = Clock::now() + ttl_;
            order_.splice(order_.begin(), order_, it->second);
            return;
        }
        order_.push_front(Entry{key, std::move(value), Clock::now() + ttl_});
        index_[key] = order_.begin();
        if (order_.size() > capacity_) {
            g.unlock();
            wake_.notify_one();
        }
    }

    /* Pins the entry while the visitor runs without the lock. */
    bool visit(const std::string &key, const std::function<void(const std::string &)> &fn)
    {
        Entry *e;
        {
            std::lock_guard<std::mutex> g(lock_);
            auto it = index_.find(key);
            if (it == index_.end()) {
                stats_.misses++;
                return false;
            }
            order_.splice(order_.begin(), order_, it->second);
            e = &*it->second;
        }
        stats_.hits++;
        pin(e);
        fn(e->value);
        unpin(e);
        return true;
    }

    size_t size() const
    {
        std::lock_guard<std::mutex> g(lock_);
        return order_.size();
    }

    const Stats &stats() const { return stats_; }

private:
    void pin(Entry *e)
    {
        std::lock_guard<std::mutex> g(lock_);
        e->pins++;
    }
    void unpin(Entry *e)
    {
        std::lock_guard<std::mutex> g(lock_);
        e->pins--;
    }

    void evict_one_locked()
    {
        for (auto it = std::prev(order_.end());; --it) {
            if (it->pins == 0) {
                index_.erase(it->key);
                order_.erase(it);
                stats_.evictions++;
                return;
            }
            if (it == order_.begin())
                return;
        }
    }

    void evict_loop()
    {
        std::unique_lock<std::mutex> g(lock_);
        while (!stopping_) {
            wake_.wait(g, [this] { return stopping_ || order_.size() > capacity_; });
            while (order_.size() > capacity_)
                evict_one_locked();
        }
    }

    mutable std::mutex lock_;
    std::condition_variable wake_;
    std::list<Entry> order_;
    std::unordered_map<std::string, std::list<Entry>::iterator> index_;
    const size_t capacity_;
    const Clock::duration ttl_;
    bool stopping_ = false;
    Stats stats_;
    std::thread evictor_;
};

}

int main()
{
    cache::LruCache c(1, std::chrono::seconds(5));
    c.put("a", "apple");
    std::thread reader([&] {
        c.visit("a", [](const std::string &v) {
            assert(v == "apple");
        });
    });
    c.put("b", "banana");
    reader.join();
    assert(c.size() <= 2);
}
