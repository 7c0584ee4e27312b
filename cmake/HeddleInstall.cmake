# SPDX-License-Identifier: BSD-2-Clause
#
# An installation has the layout of the build tree, because the tool finds its
# parts relative to itself (src/cli/paths.h).  Hence lib, never lib64 or a
# multiarch directory.
install(TARGETS heddle RUNTIME DESTINATION bin)
install(TARGETS heddle_rt heddle_each LIBRARY DESTINATION lib)
install(TARGETS heddle_rt_tsan_gcc heddle_rt_tsan_clang LIBRARY DESTINATION lib/tsan)
install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/tsan/link" DESTINATION lib/tsan)
install(DIRECTORY include/heddle DESTINATION include)
install(DIRECTORY "${PROJECT_BINARY_DIR}/share/" DESTINATION share)
# What the README and its pages link to comes with them.
install(DIRECTORY examples DESTINATION share/doc/heddle)
install(FILES LICENSE README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md
        DESTINATION share/doc/heddle)
install(DIRECTORY docs DESTINATION share/doc/heddle)
