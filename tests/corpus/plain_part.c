/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plain_part.c - compiled without instrumentation and linked to uses_part.c. */
int part_counter;

void part_bump(void)
{
    part_counter++;
}

int part_get(void)
{
    return part_counter;
}
