/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle.h - what a program may tell Heddle, and what it may have checked.  Nothing
 * here is needed: programs are tested as they are.
 *
 * The functions are inline wrappers around weak symbols of the runtime, so a
 * program that uses them compiles and runs everywhere (C99, C++11): without Heddle
 * they do nothing, conditions are not even evaluated, and no library has to be
 * linked.  docs/checks.md tells more, with examples. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side; absent (null) when the program does not run under Heddle.
 * Call what comes below instead. */
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

/* A place in a report is that of the call. */
#define HEDDLE_INLINE_ static inline __attribute__((always_inline, unused))

/* Whether Heddle controls this program: 1, or 0 in an ordinary run. */
HEDDLE_INLINE_ int heddle_active(void)
{
    return heddle_rt_active != 0 ? heddle_rt_active() : 0;
}

/* ---- what the search does ------------------------------------------------------ */

/* One of 0 … n-1.  Heddle explores every alternative just as it explores every
 * order of threads, and the schedule of a finding records which one was taken.
 * Use it for what the environment decides: a failing call, a message that
 * arrives or not.  n is between 1 and 65,535; an ordinary run always gets 0. */
HEDDLE_INLINE_ unsigned heddle_choose(unsigned n)
{
    return heddle_rt_choose != 0 && n > 1 ? heddle_rt_choose(n) : 0;
}

/* The program is initialised: the search begins here.  What comes before, in all threads, runs in one order only: a thread
 * goes on until it blocks or yields, then the next one has its turn.  For a server that is started, say, and of which
 * the requests are of interest.  The verdict says so.  In any thread, once in an execution. */
HEDDLE_INLINE_ void heddle_start(void)
{
    if (heddle_rt_start != 0)
        heddle_rt_start();
}

/* A place where another thread may be scheduled, in code that has no
 * synchronisation Heddle could see (inline assembly, for example).  The name is
 * shown in reports; it must live as long as the program. */
HEDDLE_INLINE_ void heddle_point(const char *name)
{
    if (heddle_rt_point != 0)
        heddle_rt_point(name);
}

/* The thread waits for others in a loop: switching away from it here is free. */
HEDDLE_INLINE_ void heddle_yield(void)
{
    if (heddle_rt_yield != 0)
        heddle_rt_yield();
}

/* From begin to end no other thread runs, as if it were one instruction.  Such
 * sections never overlap, so accesses in two of them do not race.  What may block has
 * no place in one, and is reported.  They may be nested. */
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

/* The name of the running thread in reports, of at most 15 characters. */
HEDDLE_INLINE_ void heddle_thread_name(const char *name)
{
    if (heddle_rt_thread_name != 0)
        heddle_rt_thread_name(name);
}

/* ---- what is declared ------------------------------------------------------------- */

/* An order that Heddle cannot see, because a device, inline assembly or a library makes it: what
 * a thread did before heddle_release(addr) happens before what a thread does after a later
 * heddle_acquire(addr) of the same address.  __tsan_release and __tsan_acquire do the same.
 * It is taken on your word: data races that it rules out are not reported, and the verdict
 * names the declaration and no longer says that the result holds for C11.
 */
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
 * Heddle sees none of its accesses, and you answer for it that what it touches decides nothing that
 * other threads can notice.  For the bookkeeping of a test, say, which would make every access a point.
 *     HEDDLE_TRUSTED static void count(struct statistics *s) { s->calls++; }
 * It is taken on your word: the function may run beside other threads without costing the search
 * its claim, and the verdict names it.  What the function calls is instrumented as ever.  For code
 * that cannot be changed there is --allow-unseen.  Not for templates and inline members of C++
 * classes, which compilers refuse to put into a section by name. */
#define HEDDLE_TRUSTED __attribute__((noinline, no_sanitize("thread"), section("heddle_trusted")))

/* ---- what is checked ------------------------------------------------------------ */

/* The condition of the macros below.  It takes one argument, so that a second one, say a text,
 * does not become a comma expression that always holds. */
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

/* heddle_assert(condition): it holds whenever a thread comes here. */
#define heddle_assert(...)                                           \
    (heddle_active() && !heddle_holds_(__VA_ARGS__)                  \
         ? heddle_rt_failed(#__VA_ARGS__, __FILE__, __LINE__)        \
         : (void)0)

/* heddle_assume(condition): executions in which it does not hold are of no interest.
 * The thread goes no further; what the others still do is checked as if it were only
 * slow.  Such executions are counted apart. */
#define heddle_assume(...)                                                          \
    (heddle_active()                                                                \
         ? heddle_rt_assume(heddle_holds_(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__) \
         : (void)0)

/* heddle_always(holds, arg): from here to the end of the execution, int holds(void *)
 * returns nonzero at every point where threads may be switched.  It only looks: it
 * must not lock, allocate, print or change anything.  It sees every moment, also one at
 * which a lock is held. */
#define heddle_always(holds, arg)                                                   \
    (heddle_active()                                                                \
         ? heddle_rt_always((holds), (arg), #holds, __FILE__, __LINE__)             \
         : (void)0)

/* HEDDLE_INVARIANT(name, condition), outside of functions: one for heddle_always.
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

/* heddle_at_end(fn, arg): void fn(void *) is called at the end of each execution, when
 * no thread can go on; the last one first.  An ordinary run does not call it. */
HEDDLE_INLINE_ void heddle_at_end(void (*fn)(void *), void *arg)
{
    if (heddle_rt_at_end != 0)
        heddle_rt_at_end(fn, arg);
}

#ifdef __cplusplus
} /* extern "C" */

/* heddle_always_expr(condition), C++ only: as heddle_always.  Local variables in it must
 * live to the end of the execution, as static ones do: those of main do not. */
#define heddle_always_expr(...) \
    ::heddle_always_cxx_([&] { return ::heddle_holds_(__VA_ARGS__); }, #__VA_ARGS__, __FILE__, __LINE__)

template <class Condition> int heddle_holds_cxx_(void *condition)
{
    return (*static_cast<const Condition *>(condition))();
}

/* The closure lives in the runtime's memory: it holds references only. */
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
