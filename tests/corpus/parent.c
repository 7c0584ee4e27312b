/* SPDX-License-Identifier: BSD-2-Clause
 *
 * parent - sends its parent no signal at all (number 0), which only asks whether it is there.
 *
 * Claim: no other process of this machine is meant.  The number that getppid tells under
 * Heddle is a made-up one, and must not reach the kernel as it is. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    return kill(getppid(), 0) == 0 || errno == EPERM || errno == ESRCH ? 0 : 1;
}
