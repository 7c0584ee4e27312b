/* SPDX-License-Identifier: BSD-2-Clause
 *
 * parent - sends signal 0 to its parent, which only tests whether the parent exists.
 *
 * Claim: the call reaches no other process.  Under Heddle getppid returns a virtual id, which
 * must not reach the kernel. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    return kill(getppid(), 0) == 0 || errno == EPERM || errno == ESRCH ? 0 : 1;
}
