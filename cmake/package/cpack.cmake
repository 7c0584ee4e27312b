# SPDX-License-Identifier: BSD-2-Clause
#
# CPack reads this before each package: the files of a source package lie at its top, not in usr.
if(CPACK_INSTALLED_DIRECTORIES)
  set(CPACK_PACKAGING_INSTALL_PREFIX "/")
endif()
