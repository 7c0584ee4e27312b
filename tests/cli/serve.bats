#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-2-Clause
#
# serve.bats - the command line of `heddle serve`: refused arguments, start and end. tests/serve requests its pages.

load helper

setup_file() {
    "${HEDDLE:-$BATS_TEST_DIRNAME/../../build/bin/heddle}" cc -o "$BATS_FILE_TMPDIR/fixed" "$BATS_TEST_DIRNAME/../litmus/basic/lost_update_fixed.c"
    cd "$BATS_FILE_TMPDIR" && "${HEDDLE:-$BATS_TEST_DIRNAME/../../build/bin/heddle}" verify -q --store sqlite:store --campaign one ./fixed
}

store() { echo "sqlite:$BATS_FILE_TMPDIR/store"; }

# refused ARGUMENT... -- TEXT...: exit code 1 and one line with each of these texts
refused() {
    local words=()
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    run heddle serve "${words[@]}"
    exits 1
    [ "${#lines[@]}" = 1 ]
    for text in "$@"; do has "$text"; done
}

# Starts the dashboard; sets pid and url.
begin() {
    "$HEDDLE" serve --listen 127.0.0.1:0 "$@" >out 2>err 3>&- &
    pid=$!
    eventually grep -q http out
    url=$(grep -o 'http://[^ ]*' out)
}

@test "what is missing or wrong is said with its remedy" {
    refused -- "no .heddle/store.sqlite here" "name the database with --store"
    refused --store mysql://db -- "no address of a store" "postgresql://HOST/DATABASE"
    refused --store sqlite:none -- "unable to open database file"
    [ ! -e none ]
    refused --store "$(store)" --listen 127.0.0.1 -- "'127.0.0.1' is no address with a port" "127.0.0.1:8421"
    refused --store "$(store)" --listen localhost:80 -- "no address with a port"
    refused --store "postgresql:///heddle?host=/none" -- "/none/"
    : >empty
    refused --store sqlite:empty -- "no store of campaigns" "heddle run --store"
    [ ! -s empty ]
}

@test "an address that others can reach needs a token or a proxy" {
    refused --store "$(store)" --listen 0.0.0.0:0 -- "others can reach 0.0.0.0:0" "--token-file" "--behind-proxy"
    refused --store "$(store)" --listen 0.0.0.0:0 --token-file none -- "cannot read the token in none"
    echo short >token
    refused --store "$(store)" --listen 0.0.0.0:0 --token-file token -- "token has no token" "openssl rand -hex 16"
}

@test "a port that is taken is named, with what to do" {
    begin --store "$(store)"
    port=${url#http://}
    refused --store "$(store)" --listen "${port%/}" -- "${port%/}" "in use" "port 0"
    kill "$pid"
}

@test "it prints its address and ends with exit code 0 at SIGTERM and SIGINT" {
    for signal in TERM INT; do
        begin --store "$(store)"
        [[ $(cat out) == "the dashboard of $(store): http://127.0.0.1:"*/ ]]
        kill -$signal "$pid"
        wait "$pid"
        [ ! -s err ]
    done
}

@test "neither the token nor a password of the address is printed" {
    echo correct-horse-battery >token
    begin --store "$(store)" --token-file token
    kill "$pid"
    wait "$pid"
    cat out err | absent horse
    run heddle serve --store "postgresql://me:secret@127.0.0.1:1/heddle"
    exits 1
    absent secret <<<"$output"
}

@test "a store that cannot be written to is enough" {
    cp "$BATS_FILE_TMPDIR/store" readonly
    chmod a-w readonly
    sum=$(sha256sum <readonly)
    begin --store sqlite:readonly
    kill "$pid"
    wait "$pid"
    [ "$(sha256sum <readonly)" = "$sum" ]
}
