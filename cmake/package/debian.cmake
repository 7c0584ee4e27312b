# SPDX-License-Identifier: BSD-2-Clause
#
# What Debian wants of the files of a package beyond an installation: compressed manual pages,
# a file `copyright`, a changelog in its own form, and why lintian need not warn.  CPack runs
# this when the files lie in its temporary directory.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share "${CPACK_TEMPORARY_DIRECTORY}/usr/share")
set(doc "${share}/doc/heddle")

file(GLOB pages "${share}/man/man*/*.[0-9]")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH is heeded
file(WRITE "${doc}/changelog"
  "heddle (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
  "  * See CHANGELOG.md.\n\n"
  " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9nf ${pages} "${doc}/changelog" COMMAND_ERROR_IS_FATAL ANY)

file(READ "${doc}/LICENSE" licence)
string(REGEX MATCH "Copyright[^\n]*" holder "${licence}")
string(REGEX REPLACE "^Copyright \\(c\\) " "" holder "${holder}")
string(REGEX REPLACE "^.*Copyright[^\n]*\n+" "" licence "${licence}")
string(STRIP "${licence}" licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n" "\n " licence "${licence}")
file(WRITE "${doc}/copyright"
  "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
  "Upstream-Name: heddle\n\n"
  "Files: *\nCopyright: ${holder}\nLicense: BSD-2-Clause\n ${licence}\n")

file(WRITE "${share}/lintian/overrides/heddle"
  "# its purpose is to hand on flags for instrumentation\n"
  "heddle: pkg-config-bad-directive *\n"
  "# the runtime is found relative to the tool, not by the linker, and belongs to its version\n"
  "heddle: pkg-config-unavailable-for-cross-compilation *\n"
  "heddle: package-name-doesnt-match-sonames *\n"
  "heddle: shared-library-lacks-version *\n"
  "# CPack writes these scripts, whether or not there is a trigger\n"
  "heddle: maintscript-calls-ldconfig *\n")
