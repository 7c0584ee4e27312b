/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle.h - what a program may tell Heddle, and what it may ask Heddle to check.  None of it is necessary:
 * Heddle tests programs as they are.
 *
 * The functions are inline wrappers around weak symbols of the runtime, so a program that uses them compiles
 * and runs everywhere (C99, C++11): without Heddle they do nothing, conditions are not even evaluated, and no
 * library has to be linked. docs/checks.md has more, with examples. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Functions of the runtime; null if the program does not run under Heddle.  Use the functions below instead. */
#define HEDDLE_WEAK_ __attribute__((weak)) extern
HEDDLE_WEAK_ unsigned heddle_rt_choose(unsigned n);
HEDDLE_WEAK_ void heddle_rt_point(const char *name);
HEDDLE_WEAK_ int heddle_rt_active(void);
HEDDLE_WEAK_ void heddle_rt_failed(const char *expr, const char *file, unsigned line);
HEDDLE_WEAK_ void heddle_rt_assume(int holds, const char *expr, const char *file, unsigned line);
HEDDLE_WEAK_ void heddle_rt_always(int (*holds)(void *), void *arg, const char *expr,
                                   const char *file, unsigned line);
HEDDLE_WEAK_ void *heddle_rt_keep(unsigned long size);
HEDDLE_WEAK_ void heddle_rt_broken(const char *expr);
HEDDLE_WEAK_ void heddle_rt_at_end(void (*fn)(void *), void *arg);
HEDDLE_WEAK_ void heddle_rt_atomic_begin(void);
HEDDLE_WEAK_ void heddle_rt_atomic_end(void);
HEDDLE_WEAK_ void heddle_rt_yield(void);
HEDDLE_WEAK_ void heddle_rt_thread_name(const char *name);
HEDDLE_WEAK_ void heddle_rt_start(void);
HEDDLE_WEAK_ void heddle_rt_acquire(void *addr);
HEDDLE_WEAK_ void heddle_rt_release(void *addr);
#undef HEDDLE_WEAK_

/* Always inlined, so that reports show the place of the call. */
#define HEDDLE_INLINE_ static inline __attribute__((always_inline, unused))

/* Returns 1 if Heddle controls this program, 0 in an ordinary run. */
HEDDLE_INLINE_ int heddle_active(void)
{
    return heddle_rt_active != 0 ? heddle_rt_active() : 0;
}

/* ---- influencing the search ---- */

/* Returns a number from 0 to n-1.  Heddle explores every alternative, as it explores every order of threads,
 * and the schedule of a finding records which one was taken.  Use it for what the environment decides: a call
 * that fails, a message that arrives or not. n is between 1 and 65,535.  In an ordinary run the result is
 * always 0. */
HEDDLE_INLINE_ unsigned heddle_choose(unsigned n)
{
    return heddle_rt_choose != 0 && n > 1 ? heddle_rt_choose(n) : 0;
}

/* Call when the program is initialised: the search begins here.  Everything before, in all threads, runs in one
 * order only: a thread continues until it blocks or yields, then the next one runs.  Useful for a server, for
 * example, if only its requests are of interest.  The verdict mentions it.  Call it in any thread, once in an
 * execution. */
HEDDLE_INLINE_ void heddle_start(void)
{
    if (heddle_rt_start != 0)
        heddle_rt_start();
}

/* Makes this place a scheduling point, in code without synchronisation that Heddle can see (inline assembly,
 * for example).  The name is shown in reports; it must exist as long as the program. */
HEDDLE_INLINE_ void heddle_point(const char *name)
{
    if (heddle_rt_point != 0)
        heddle_rt_point(name);
}

/* Call in a loop in which the thread waits for others: switching away from it here is free, not a preemption. */
HEDDLE_INLINE_ void heddle_yield(void)
{
    if (heddle_rt_yield != 0)
        heddle_rt_yield();
}

/* Between begin and end no other thread runs, as if everything were one instruction.  Such sections never
 * overlap, so accesses in two of them do not race.  Operations that may block are not allowed inside and are
 * reported.  Sections may be nested. */
HEDDLE_INLINE_ void heddle_atomic_begin(void)
{
    if (heddle_rt_atomic_begin != 0)
        heddle_rt_atomic_begin();
}

HEDDLE_INLINE_ void heddle_atomic_end(void)
{
    if (heddle_rt_atomic_end != 0)
        heddle_rt_atomic_end();
}

/* Sets the name of the running thread in reports, at most 15 characters. */
HEDDLE_INLINE_ void heddle_thread_name(const char *name)
{
    if (heddle_rt_thread_name != 0)
        heddle_rt_thread_name(name);
}

/* ---- declarations ---- */

/* Declare an order that Heddle cannot see, because a device, inline assembly or a library enforces it: what a
 * thread did before heddle_release(addr) happens before what a thread does after a later heddle_acquire(addr)
 * of the same address. __tsan_release and __tsan_acquire do the same.  Heddle trusts this declaration: it does
 * not report data races that the order rules out.  So the verdict names the declaration and no longer says that
 * the result holds for C11. */
HEDDLE_INLINE_ void heddle_acquire(void *addr)
{
    if (heddle_rt_acquire != 0)
        heddle_rt_acquire(addr);
}

HEDDLE_INLINE_ void heddle_release(void *addr)
{
    if (heddle_rt_release != 0)
        heddle_rt_release(addr);
}

/* HEDDLE_TRUSTED, before the definition of a function: the compiler does not instrument the function, so
 * Heddle sees none of its accesses.  You guarantee that these accesses influence nothing that other threads
 * can observe.  Useful for the statistics of a test, for example, where every access would otherwise be a
 * scheduling point.
 *     HEDDLE_TRUSTED static void count(struct statistics *s) { s->calls++; }
 * Heddle trusts you: the function may run concurrently with other threads without weakening the claim of
 * the search, and the verdict names it.  The functions that it calls are instrumented as usual.  For code
 * that cannot be changed there is --allow-unseen.  Do not use it for templates and inline members of C++
 * classes, which compilers refuse to put into a named section. */
#define HEDDLE_TRUSTED __attribute__((noinline, no_sanitize("thread"), section("heddle_trusted")))

/* ---- checks ---- */

/* The condition of the macros below.  It has exactly one parameter, so that a second argument, such as a text,
 * is an error and does not become a comma expression that always holds. */
#ifdef __cplusplus
extern "C++" {
template <class Condition> inline bool heddle_holds_(const Condition &condition)
{
    return static_cast<bool>(condition);
}
}
#else
HEDDLE_INLINE_ _Bool heddle_holds_(_Bool condition)
{
    return condition;
}
#endif

/* heddle_assert(condition): the condition must hold whenever a thread comes here. */
#define heddle_assert(...)                                           \
    (heddle_active() && !heddle_holds_(__VA_ARGS__)                  \
         ? heddle_rt_failed(#__VA_ARGS__, __FILE__, __LINE__)        \
         : (void)0)

/* heddle_assume(condition): executions in which the condition does not hold are not of interest.  The thread
 * stops here; what the other threads still do is checked as if this one were only slow.  Such executions are
 * counted separately. */
#define heddle_assume(...)                                                          \
    (heddle_active()                                                                \
         ? heddle_rt_assume(heddle_holds_(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__) \
         : (void)0)

/* heddle_always(holds, arg): from here to the end of the execution, int holds(void *) must return nonzero at
 * every point where threads may be switched.  The function must only read: it must not lock, allocate, print or
 * change anything.  It is called at every such moment, also while a thread holds a lock. */
#define heddle_always(holds, arg)                                                   \
    (heddle_active()                                                                \
         ? heddle_rt_always((holds), (arg), #holds, __FILE__, __LINE__)             \
         : (void)0)

/* HEDDLE_INVARIANT(name, condition), outside of functions: defines a function for heddle_always.
 *     HEDDLE_INVARIANT(never_negative, balance >= 0)
 *     ... heddle_always(never_negative, 0); */
#define HEDDLE_INVARIANT(name, ...)                               \
    static int name(void *heddle_unused_)                         \
    {                                                             \
        (void)heddle_unused_;                                     \
        return heddle_holds_(__VA_ARGS__) ? 1 : heddle_broken_(#__VA_ARGS__);  \
    }

HEDDLE_INLINE_ int heddle_broken_(const char *expr)
{
    if (heddle_rt_broken != 0)
        heddle_rt_broken(expr);
    return 0;
}

/* heddle_at_end(fn, arg): void fn(void *) is called at the end of each execution, when no thread can continue.
 * If there are several functions, the last one is called first.  In an ordinary run they are not called. */
HEDDLE_INLINE_ void heddle_at_end(void (*fn)(void *), void *arg)
{
    if (heddle_rt_at_end != 0)
        heddle_rt_at_end(fn, arg);
}

#ifdef __cplusplus
} /* extern "C" */

/* heddle_always_expr(condition), C++ only: like heddle_always.  Local variables in the condition must exist
 * until the end of the execution, as static ones do; those of main do not. */
#define heddle_always_expr(...) \
    ::heddle_always_cxx_([&] { return ::heddle_holds_(__VA_ARGS__); }, #__VA_ARGS__, __FILE__, __LINE__)

template <class Condition> int heddle_holds_cxx_(void *condition)
{
    return (*static_cast<const Condition *>(condition))();
}

/* The closure is stored in the runtime's memory; it contains only references. */
template <class Condition>
void heddle_always_cxx_(const Condition &condition, const char *expr, const char *file, unsigned line)
{
    if (!heddle_active())
        return;
    void *kept = heddle_rt_keep(sizeof condition);

    __builtin_memcpy(kept, &condition, sizeof condition);
    heddle_rt_always(heddle_holds_cxx_<Condition>, kept, expr, file, line);
}
#endif

#endif
