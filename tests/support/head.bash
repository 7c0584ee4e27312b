# SPDX-License-Identifier: BSD-2-Clause
#
# head.bash - lines " * KEY: VALUE" in the comment at the head of a test program.  read_head FILE
# fills the array head with the values by key: ${head[Expect]-}; of several lines the first counts.
shopt -s extglob
declare -A head

read_head() {
    local line
    head=()
    while IFS= read -r line; do
        if [[ $line =~ ^\ \*\ ([A-Z][a-z]+):\ *(.*)$ ]] && [ -z "${head[${BASH_REMATCH[1]}]-}" ]; then
            head[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]%%*( )'*/'}
        fi
        [[ $line != *'*/'* ]] || return 0
    done <"$1"
}
