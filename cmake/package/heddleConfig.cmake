# SPDX-License-Identifier: BSD-2-Clause
#
# find_package(heddle): for projects that test themselves with Heddle (docs/integration.md).
# Everything is found relative to this file, in a build tree as in an installation, so that
# either can be moved.
#
#   heddle::heddle      the headers, <heddle/heddle.h> and <heddle/test.h>; nothing is linked
#   heddle::actor       <heddle/actor.h> and its library
#   heddle::instrument  compiles and links a target as `heddle cc` does
#   heddle::tool        the command; HEDDLE_EXECUTABLE is its path
#   heddle_add_test()   HeddleTest.cmake

# The real path, because /lib may be a link to /usr/lib, and there is no /include.
get_filename_component(_heddle_prefix "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_heddle_prefix "${_heddle_prefix}/../../.." ABSOLUTE)
set(HEDDLE_EXECUTABLE "${_heddle_prefix}/bin/heddle")
foreach(_heddle_part bin/heddle lib/libheddle.so lib/tsan/link/libtsan.so include/heddle/heddle.h)
  if(NOT EXISTS "${_heddle_prefix}/${_heddle_part}")
    set(heddle_FOUND FALSE)
    set(heddle_NOT_FOUND_MESSAGE
        "${_heddle_prefix}/${_heddle_part} is missing; build or install Heddle again")
    return()
  endif()
endforeach()

if(NOT TARGET heddle::heddle)
  add_executable(heddle::tool IMPORTED)
  set_target_properties(heddle::tool PROPERTIES IMPORTED_LOCATION "${HEDDLE_EXECUTABLE}")

  add_library(heddle::heddle INTERFACE IMPORTED)
  set_target_properties(heddle::heddle PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_heddle_prefix}/include")

  add_library(heddle::actor STATIC IMPORTED)
  set_target_properties(heddle::actor PROPERTIES
    IMPORTED_LOCATION "${_heddle_prefix}/lib/libheddle-actor.a"
    INTERFACE_LINK_LIBRARIES "heddle::heddle;-lpthread")

  # The same words as in src/cli/cmd_cc.c, which says why; tests/consumer compares the two.
  add_library(heddle::instrument INTERFACE IMPORTED)
  set(_heddle_lib "${_heddle_prefix}/lib")
  set_property(TARGET heddle::instrument PROPERTY INTERFACE_LINK_LIBRARIES heddle::heddle)
  set(_heddle_gcc --param=tsan-distinguish-volatile=1 -Wno-tsan -U_FORTIFY_SOURCE
    -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-mempcpy -fno-builtin-memset
    -fno-builtin-memcmp -fno-builtin-bcmp -fno-builtin-bcopy -fno-builtin-bzero
    -fno-builtin-stpcpy -fno-builtin-stpncpy -fno-builtin-strcat -fno-builtin-strncat
    -fno-builtin-strcpy -fno-builtin-strncpy -fno-builtin-strcmp -fno-builtin-strncmp
    -fno-builtin-sprintf -fno-builtin-snprintf)
  set_property(TARGET heddle::instrument PROPERTY INTERFACE_COMPILE_OPTIONS
    "$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=thread;-fno-plt;-g;-grecord-gcc-switches>"
    "$<$<COMPILE_LANG_AND_ID:C,GNU>:${_heddle_gcc}>"
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${_heddle_gcc}>"
    "$<$<COMPILE_LANG_AND_ID:C,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write>"
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -tsan-instrument-read-before-write>")
  set(_heddle_clang "-fno-sanitize-link-runtime;-L${_heddle_lib}"
                    "-Wl,--push-state,--no-as-needed,-lheddle,--pop-state")
  set_property(TARGET heddle::instrument PROPERTY INTERFACE_LINK_OPTIONS
    -fsanitize=thread
    "$<$<LINK_LANG_AND_ID:C,GNU>:-L${_heddle_lib}/tsan/link>"
    "$<$<LINK_LANG_AND_ID:CXX,GNU>:-L${_heddle_lib}/tsan/link>"
    "$<$<LINK_LANG_AND_ID:C,Clang>:${_heddle_clang}>"
    "$<$<LINK_LANG_AND_ID:CXX,Clang>:${_heddle_clang}>"
    "-Wl,-rpath,${_heddle_lib}" -Wl,-z,now -lpthread)
  unset(_heddle_clang)
  unset(_heddle_gcc)
  unset(_heddle_lib)
endif()
unset(_heddle_part)
unset(_heddle_prefix)

include("${CMAKE_CURRENT_LIST_DIR}/HeddleTest.cmake")
