# SPDX-License-Identifier: BSD-2-Clause
# The page builds a project of its own, which the tests of consumers have.
cp "$DOCS_SOURCE"/tests/consumer/*.[ch] . &&
    for file in Makefile CMakeLists.txt; do
        sed -e 's,\.\./,,' -e 's,)\.\.$,).,' "$DOCS_SOURCE/tests/consumer/without/$file" >$file
    done
export PKG_CONFIG_PATH="$DOCS_BUILD/lib/pkgconfig"
export PREFIX="$DOCS_BUILD" # the build tree is laid out as an installation is
