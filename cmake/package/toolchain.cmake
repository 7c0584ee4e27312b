# SPDX-License-Identifier: BSD-2-Clause
#
# A toolchain file: builds a whole project for Heddle.
#
#   cmake -S . -B build-heddle -DCMAKE_TOOLCHAIN_FILE=PREFIX/lib/cmake/heddle/toolchain.cmake
#
# CMAKE_C_COMPILER is one path, and Heddle's compiler is two words: the second one is an element of
# the list.  HEDDLE_CC and HEDDLE_CXX choose the compiler behind it, as everywhere.
get_filename_component(_heddle "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_heddle "${_heddle}/../../../bin/heddle" ABSOLUTE)
set(CMAKE_C_COMPILER "${_heddle}" cc)
set(CMAKE_CXX_COMPILER "${_heddle}" c++)
unset(_heddle)
