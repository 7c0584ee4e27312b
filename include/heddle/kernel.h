/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle/kernel.h - tests of Linux: threads that make system calls, and a check afterwards.
 *
 *     #include <heddle/kernel.h>
 *
 *     static int sum;
 *
 *     static void setup(void) { ... }
 *     static void reader(void) { hd_call(read(fd, buffer, 8)); }
 *     static void writer(void) { hd_call(write(fd, "12345678", 8)); }
 *     static void check(void) { hd_kernel_check(sum == 8); }
 *
 *     const struct hd_kernel_test hd_kernel_test = {
 *         .setup = setup, .thread = { reader, writer }, .check = check,
 *     };
 *
 * `heddle kernel run --kernel vmlinuz test.c` compiles it, boots the kernel with the test as its only program, and
 * runs the threads again and again, each time with other preemptions inside the kernel.  An execution is one call of
 * setup, of each thread's function, and of check.  Before the next execution, setup or check must undo whatever it
 * has changed. */
#ifndef HEDDLE_KERNEL_H
#define HEDDLE_KERNEL_H

#ifdef __cplusplus
extern "C" {
#endif

#define HD_KERNEL_THREADS 8

struct hd_kernel_test {
    void (*setup)(void);                     /* called before the threads start; may be NULL */
    void (*thread[HD_KERNEL_THREADS])(void); /* at least one; Heddle interleaves what these functions do */
    void (*check)(void);                     /* called after all of them have returned; may be NULL */
};

/* The test defines it. */
extern const struct hd_kernel_test hd_kernel_test;

/* Says that a result is wrong.  The first one of an execution counts; it is a finding when check has returned. */
void hd_kernel_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define hd_kernel_check(condition) \
    ((condition) ? (void)0 : hd_kernel_fail("%s:%d: '%s' does not hold", __FILE__, __LINE__, #condition))

/* Evaluates the call, and shows its text and its result in the report.  The value is that of the call. */
#define hd_call(call)                                                                                        \
    __extension__({                                                                                          \
        hd_kernel_calls(#call);                                                                              \
        long hd_result_ = (long)(call);                                                                      \
        hd_kernel_called(hd_result_);                                                                        \
        hd_result_;                                                                                          \
    })

void hd_kernel_calls(const char *text);
void hd_kernel_called(long result); /* keeps errno */

#ifdef __cplusplus
}
#endif

#endif
