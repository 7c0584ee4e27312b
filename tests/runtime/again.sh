#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# again.sh - every finding is run once more before it is shown; what does not come again is said to be
# that.
. "$(dirname "$0")/common.shlib"

build prog on_the_machine.c -g -O1 -lrt || finish
key=$((0x49000000 + $$ % 65536))

# A finding that is there in every run of its schedule.
for how in '--isolation inproc' '--isolation fork' '--minimize off' '-j2' '--isolation fork --minimize off'; do
    for verb in verify run; do
        # shellcheck disable=SC2086
        search $verb $how ./prog nothing '' order
        same "$verb $how" "2 assertion true" "$rc $(field kind) $(field repeated)"
    done
done

# One that the rest of the machine has brought about, once.
for how in '--minimize off' '--minimize on'; do
    (cd "$work" && ./prog messages $key)
    # shellcheck disable=SC2086
    search verify --strategy dfs $how ./prog take $key
    same "once only, $how" "2 assertion false" "$rc $(field kind) $(field repeated)"
    says "once only, $how: said" 'It did not occur again when Heddle replayed its schedule'
    ipcrm -Q $key
done

# The process is gone: there must be another that tells.
search verify --strategy dfs --minimize off ./prog perish
same "a lost process" "2 crash true" "$rc $(field kind) $(field repeated)"
schedule=$(field schedule)
heddle replay "$schedule"
same "a lost process: replay" 2 "$rc"
heddle report "$schedule"
same "a lost process: report" 0 "$rc"
heddle minimize "$schedule"
holds "a lost process: minimize" [ "$rc" -ne 5 ]

finish
