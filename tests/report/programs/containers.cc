/* SPDX-License-Identifier: BSD-2-Clause
 *
 * containers - mutexes in the elements of a vector, and behind smart pointers.  The two functions lock them
 * in opposite orders. */
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Account {
    std::mutex lock;
    long balance = 100;
};

struct Bank {
    std::vector<Account> accounts;
    std::vector<std::unique_ptr<Account>> savings;

    Bank() : accounts(4)
    {
        for (int i = 0; i < 3; i++)
            savings.push_back(std::make_unique<Account>());
    }

    void save(int from, int to)
    {
        std::lock_guard<std::mutex> first(accounts[from].lock);
        std::lock_guard<std::mutex> second(savings[to]->lock);

        accounts[from].balance--;
        savings[to]->balance++;
    }

    void withdraw(int from, int to)
    {
        std::lock_guard<std::mutex> first(savings[from]->lock);
        std::lock_guard<std::mutex> second(accounts[to].lock);

        savings[from]->balance--;
        accounts[to].balance++;
    }
};

int main()
{
    auto bank = std::make_shared<Bank>();
    std::thread saver([bank] { bank->save(3, 1); });

    bank->withdraw(1, 3);
    saver.join();
}
