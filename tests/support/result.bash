# SPDX-License-Identifier: BSD-2-Clause
#
# result.bash - JSON results in bash tests.  read_result FILE fills the array r with the values by
# name (see tests/support/result): ${r[executions]}, ${r[findings.0.kind]}.  It fails if there is no
# result.
declare -A r
result_reader=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/result

read_result() {
    local name value
    r=()
    while read -r name value; do r[$name]=$value; done < <("$result_reader" "$1" 2>/dev/null)
    [ ${#r[@]} -gt 0 ]
}
