# SPDX-License-Identifier: BSD-2-Clause
#
# What is there for CI and for packages: the GitHub action, the GitLab template, the source package, the container file.
# shellcheck disable=SC2154 # bats sets output and status
load helper

root=$BATS_TEST_DIRNAME/../..

# A directory as after a checkout, with heddle installed
checkout() {
    python3 -c 'import yaml' 2>/dev/null || skip "python3-yaml is not installed"
    mkdir bin
    ln -s "$(realpath "$(command -v "$HEDDLE")")" bin/heddle
    PATH=$PWD/bin:$PATH
    cp "$root"/examples/bank.c "$root"/examples/bank_fixed.c .
}

service() { run python3 "$BATS_TEST_DIRNAME/ci.py" "$@"; }

@test "the GitHub action fails with a finding, and leaves it where the workflow uploads it" {
    checkout
    service github "$root/action.yml" build='heddle cc -g -o t bank.c' program=./t
    exits 2
    has "FOUND assertion in ./t"
    grep -q '"ruleId": "assertion"' heddle.sarif
    [ -s heddle.html ]
    [ -n "$(ls .heddle/*.heddle)" ]
}

@test "the GitHub action passes without a finding, also when the budget of run is used up" {
    checkout
    service github "$root/action.yml" build='heddle cc -g -o t bank_fixed.c' program=./t verb=verify options=
    exits 0
    has "CLEAN"
    service github "$root/action.yml" build=true program=./t options='--strategy random --executions 1'
    exits 0
    service github "$root/action.yml" build=true program=./t verb=verify options='--executions 1'
    exits 4
    service github "$root/action.yml" build=false program=./t
    exits 1
}

@test "the GitLab template fails with a finding and its artefacts, and passes otherwise" {
    checkout
    service gitlab "$root/examples/heddle.gitlab-ci.yml" HEDDLE_BUILD='heddle cc -g -o t bank.c' HEDDLE_PROGRAM=./t
    exits 2
    grep -q '<failure type="assertion"' heddle.xml
    service gitlab "$root/examples/heddle.gitlab-ci.yml" HEDDLE_BUILD='heddle cc -g -o t bank_fixed.c' HEDDLE_PROGRAM=./t
    exits 0
    service gitlab "$root/examples/heddle.gitlab-ci.yml" HEDDLE_BUILD=true HEDDLE_PROGRAM=./t HEDDLE_SEARCH='--strategy random --executions 1'
    exits 0
}

# Names of packages, one in a line, without versions
packages_of() { tr ',\\' '\n\n' | sed 's/(.*//' | tr -s ' ' '\n' | sed '/^$/d' | sort; }

@test "the Debian package, the container file and the action build with the same packages" {
    control=$(sed -n 's/^Build-Depends: //p' "$root/debian/control" | packages_of)
    container=$(sed -n '/^FROM .* AS build/,/^COPY/{/^    /p}' "$root/Containerfile" | packages_of)
    [ "$control" = "$container" ]
    action=$(sed -n 's/.*apt-get install -y //p' "$root/action.yml" | packages_of)
    [ "$(grep -v '^dpkg-dev$' <<<"$control")" = "$action" ]
    # install-deps knows each that a build needs
    for package in $(grep -v '^dpkg-dev$' <<<"$control"); do
        grep -q "needed=\"\$needed $package\"" "$root/tools/install-deps"
    done
}

@test "versions and descriptions of the packages agree" {
    version=$(sed -n 's/^project(heddle VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
    [ "$(sed -n '1s/heddle (\(.*\)) .*/\1/p' "$root/debian/changelog")" = "$version" ]
    grep -q "set(CPACK_PACKAGE_DESCRIPTION_SUMMARY \"$(sed -n 's/^Description: //p' "$root/debian/control")\")" "$root/cmake/HeddleInstall.cmake"
}
