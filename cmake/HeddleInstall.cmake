# SPDX-License-Identifier: BSD-2-Clause
#
# An installation has the layout of the build tree, because the tool, the CMake package and
# the pkg-config files find their parts relative to themselves (src/program/paths.h).  Hence lib,
# never lib64 or a multiarch directory.
include(CMakePackageConfigHelpers)

set(package "${PROJECT_SOURCE_DIR}/cmake/package")
foreach(file heddleConfig.cmake HeddleTest.cmake toolchain.cmake)
  configure_file("${package}/${file}" "${PROJECT_BINARY_DIR}/lib/cmake/heddle/${file}" COPYONLY)
endforeach()
# Before 1.0 a minor version may change what a project relies on.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/lib/cmake/heddle/heddleConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
foreach(file heddle.pc heddle-clang.pc heddle-actor.pc)
  configure_file("${package}/${file}.in" "${PROJECT_BINARY_DIR}/lib/pkgconfig/${file}" @ONLY)
endforeach()

# All that is installed, without the tests.
add_custom_target(heddle_tool DEPENDS heddle heddle_rt heddle_each heddle_noise heddle_actor heddle_actor_static heddle_kernel heddle_guest heddle_rt_tsan_gcc
                  heddle_rt_tsan_clang heddle_documents)

install(TARGETS heddle RUNTIME DESTINATION bin)
install(TARGETS heddle_rt heddle_each heddle_noise heddle_actor heddle_kernel LIBRARY DESTINATION lib)
install(TARGETS heddle_actor_static heddle_guest ARCHIVE DESTINATION lib)
install(TARGETS heddle_rt_tsan_gcc heddle_rt_tsan_clang LIBRARY DESTINATION lib/tsan)
install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/tsan/link" DESTINATION lib/tsan)
install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/clang" DESTINATION lib)
install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/cmake" "${PROJECT_BINARY_DIR}/lib/pkgconfig" DESTINATION lib)
install(DIRECTORY include/heddle DESTINATION include)
install(DIRECTORY "${PROJECT_BINARY_DIR}/share/" DESTINATION share)
# What the README and its pages link to comes with them.
install(DIRECTORY examples DESTINATION share/doc/heddle)
install(FILES LICENSE README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md Containerfile action.yml
        DESTINATION share/doc/heddle)
install(DIRECTORY docs DESTINATION share/doc/heddle)

# ---- cpack -G DEB (and TGZ) --------------------------------------------------------------
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR "The Heddle authors")
set(CPACK_PACKAGE_CONTACT "The Heddle authors <heddle@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "concurrency tester for C and C++ programs")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "Heddle runs a program with threads under its own scheduler, tries one\ninterleaving after another, and hands back the failing one as a file that\nruns exactly that one again.  When a search is complete, no interleaving\nfails.")
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc | clang")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, gdb, g++")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${package}/triggers")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS "${package}/debian.cmake")

# ---- cpack --config CPackSourceConfig.cmake: what dpkg-buildpackage needs, too --------------
set(CPACK_PROJECT_CONFIG_FILE "${package}/cpack.cmake")
set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME "heddle-${PROJECT_VERSION}")
# whole paths: the source may itself be below a directory named build
set(CPACK_SOURCE_IGNORE_FILES "^${PROJECT_SOURCE_DIR}/build[^/]*/" "^${PROJECT_SOURCE_DIR}/\\\\.git(/|$)"
  "/\\\\.heddle/" "/__pycache__/")
include(CPack)
