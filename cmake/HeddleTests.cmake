# SPDX-License-Identifier: BSD-2-Clause
#
# Tests, found by directory:
#   tests/{unit,oracle}/**/*_test.c   one cmocka program each, with tests/support/*.c;
#                                     claims_test.c is one test per family of programs
#   tests/{cli,runtime}/*.bats   one test each
#   tests/runtime/*.sh           one test each
#   tests/{conformance,cplusplus,…}/run   one test each
#   tests/litmus/run             one test per directory of programs
# The label `quick` is what `make check-quick` runs (below).
# Scripts get HEDDLE (the tool) and, with `make check-deep`, HEDDLE_DEEP=1 from
# the environment; they exit with 77 when this machine cannot run them.
set(HEDDLE_TEST_SECONDS 3600)

# Scripts start python3 thousands of times.  Where it is a script of a version manager, which takes a
# tenth of a second to find the interpreter, they get the interpreter itself.
set(HEDDLE_TEST_PATH "${PROJECT_BINARY_DIR}/tests/bin")
execute_process(COMMAND python3 -c "import sys; print(sys.executable)"
                OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
find_program(HEDDLE_PYTHON python3)
if(python AND NOT python STREQUAL HEDDLE_PYTHON)
  file(MAKE_DIRECTORY "${HEDDLE_TEST_PATH}")
  file(CREATE_LINK "${python}" "${HEDDLE_TEST_PATH}/python3" SYMBOLIC)
endif()

# heddle_script_test(<name> <command>...)
function(heddle_script_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "HEDDLE=${PROJECT_BINARY_DIR}/bin/heddle;HEDDLE_SOURCE=${PROJECT_SOURCE_DIR}"
    ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${HEDDLE_TEST_PATH}"
    SKIP_RETURN_CODE 77 TIMEOUT ${HEDDLE_TEST_SECONDS})
endfunction()

# heddle_script_tests(<directory>): *.sh and *.bats
function(heddle_script_tests directory)
  file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${directory}/*.sh"
       "${PROJECT_SOURCE_DIR}/tests/${directory}/*.bats")
  foreach(script IN LISTS scripts)
    get_filename_component(name "${script}" NAME_WE)
    if(NOT script MATCHES "\\.bats$")
      heddle_script_test(${directory}/${name} sh "${script}")
    elseif(HEDDLE_BATS)
      heddle_script_test(${directory}/${name} "${PROJECT_SOURCE_DIR}/tests/bats_again" "${HEDDLE_BATS}" "${script}")
    endif()
  endforeach()
endfunction()

find_program(HEDDLE_BATS bats)
if(NOT HEDDLE_BATS)
  message(WARNING "bats is not installed: the tests of the command line are left out "
                  "(tools/install-deps installs it)")
endif()

file(GLOB_RECURSE unit_tests CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/*_test.c"
     "${PROJECT_SOURCE_DIR}/tests/oracle/*_test.c")
file(GLOB support CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.c"
     "${PROJECT_SOURCE_DIR}/tests/oracle/*.c")
list(FILTER support EXCLUDE REGEX "_test\\.c$")
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
add_custom_target(heddle_unit_tests)
if(CMOCKA_FOUND)
  add_library(hd_test_support STATIC ${support})
  target_include_directories(hd_test_support PUBLIC "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(hd_test_support PUBLIC hd_cli PkgConfig::CMOCKA)
  foreach(source IN LISTS unit_tests)
    get_filename_component(name "${source}" NAME_WE)
    # the runtime's hooks are what a sanitizer itself would call, ASan's heap lies where the
    # wire is mapped, and a test that runs the tool needs its runtime
    file(STRINGS "${source}" not_sanitized
         REGEX "#include \"runtime/|hd_wires_create|getenv\\(\"HEDDLE\"\\)")
    if(HEDDLE_SANITIZE AND not_sanitized)
      continue()
    endif()
    add_executable(${name} "${source}")
    add_dependencies(heddle_unit_tests ${name})
    target_link_libraries(${name} PRIVATE hd_test_support)
    # some tests include a file of the runtime; inlined into a call with constants, its
    # copying loops look to gcc as if they left their arrays
    target_compile_options(${name} PRIVATE -Wno-array-bounds)
    set_target_properties(${name} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    if(name STREQUAL "claims_test")
      continue()
    endif()
    add_test(NAME unit/${name} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(unit/${name} PROPERTIES TIMEOUT ${HEDDLE_TEST_SECONDS}
      ENVIRONMENT "HEDDLE=${PROJECT_BINARY_DIR}/bin/heddle")
    if(name STREQUAL "parts_test") # 10,000 large programs with HEDDLE_DEEP=1
      set_tests_properties(unit/${name} PROPERTIES TIMEOUT 1800)
    endif()
  endforeach()
  # One after the other the families take long with HEDDLE_DEEP=1; so ctest can run them side
  # by side, and all strategies of a family share one oracle.
  file(STRINGS "${PROJECT_SOURCE_DIR}/tests/oracle/generate.h" families REGEX "X\\([A-Z]+, ")
  string(REGEX MATCHALL "\"[a-z-]+\"" families "${families}")
  foreach(family IN LISTS families)
    string(REPLACE "\"" "" family "${family}")
    add_test(NAME unit/claims_${family} COMMAND claims_test WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(unit/claims_${family} PROPERTIES
      ENVIRONMENT "HEDDLE_ORACLE_FAMILY=${family}" TIMEOUT 1800)
  endforeach()
else()
  message(WARNING "cmocka is not installed: the unit tests are left out "
                  "(tools/install-deps installs it)")
endif()

heddle_script_tests(cli)
heddle_script_tests(runtime)

file(GLOB runners CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*/run")
foreach(runner IN LISTS runners)
  get_filename_component(directory "${runner}" DIRECTORY)
  get_filename_component(name "${directory}" NAME)
  if(NOT name STREQUAL "litmus")
    heddle_script_test(${name} "${runner}")
  endif()
endforeach()

# One test per directory of programs, so that ctest can run them side by side.
file(GLOB directories CONFIGURE_DEPENDS LIST_DIRECTORIES true "${PROJECT_SOURCE_DIR}/tests/litmus/*")
foreach(directory IN LISTS directories)
  if(IS_DIRECTORY "${directory}")
    get_filename_component(name "${directory}" NAME)
    heddle_script_test(litmus/${name} "${PROJECT_SOURCE_DIR}/tests/litmus/run" -p ${name})
  endif()
endforeach()

heddle_script_test(kernel_pintos "${PROJECT_SOURCE_DIR}/tests/kernel/pintos/run")
heddle_script_test(litmus_suppressed "${PROJECT_SOURCE_DIR}/tests/litmus/suppressed")
heddle_script_test(bench_programs "${PROJECT_SOURCE_DIR}/bench/programs/check" -q)
heddle_script_test(bench_actors "${PROJECT_SOURCE_DIR}/bench/programs/actors/check" -q)
set_tests_properties(bench_programs bench_actors equal minimize PROPERTIES TIMEOUT 3600) # all of them with HEDDLE_DEEP=1
set_tests_properties(kernel linux PROPERTIES TIMEOUT 10800) # many seeds with HEDDLE_DEEP=1
set_tests_properties(adversary PROPERTIES TIMEOUT 10800) # 20,000 programs with HEDDLE_DEEP=1
set_tests_properties(cluster cluster_equal PROPERTIES TIMEOUT 14400) # 500 runs with faults, and all litmus programs, with HEDDLE_DEEP=1
heddle_script_test(bench_speed "${PROJECT_SOURCE_DIR}/bench/speed/check")
heddle_script_test(bench_peers "${PROJECT_SOURCE_DIR}/bench/peers/run" -q)
heddle_script_test(study_quick "${PROJECT_SOURCE_DIR}/bench/study/run" quick)
heddle_script_test(includes "${PROJECT_SOURCE_DIR}/tools/check-includes")
heddle_script_test(links "${PROJECT_SOURCE_DIR}/tools/check-links" "${PROJECT_BINARY_DIR}/CMakeFiles/hd_runtime_objects.dir"
  "${PROJECT_BINARY_DIR}/CMakeFiles/hd_runtime_hot.dir")
heddle_script_test(kinds "${PROJECT_SOURCE_DIR}/tools/check-kinds")

# `make check-quick`: at most 90 seconds on two cores.  Each area is covered by its fastest tests:
# all unit tests but the slow ones, small litmus directories, the tests of the command line that
# compile little.
get_property(every DIRECTORY PROPERTY TESTS)
set(slow share_test share_kill_test resume_test shrink_program_test native_test oracle_test
    parts_test watch_test ppct_test race_test lines_test claims_[a-z-]+ bounded_vectors_test)
list(JOIN slow "|" slow)
set(quick "^unit/" "^litmus/(basic|fail|classes)$" "^(includes|links|kinds|report)$" "^cli/(options|help|json|verdicts|tools)$"
    "^runtime/(smash|schedule_files)$" "^unit/claims_(mutex|condition)$")
list(JOIN quick "|" quick)
foreach(test IN LISTS every)
  if(test MATCHES "${quick}" AND (NOT test MATCHES "^unit/(${slow})$" OR test MATCHES "claims_(mutex|condition)$"))
    set_property(TEST ${test} APPEND PROPERTY LABELS quick)
  endif()
endforeach()

# CTest starts the longest first, once it has run them; a fresh tree needs the order below.
set(longest corpus runtime/parallel browser adversary runtime/traps conformance equal consumer cplusplus docs study_quick
    cli/gdb runtime/files report minimize cli/each litmus/live litmus_suppressed litmus/races litmus/libc differential
    bench_programs unit/share_test cli/docs formats outcomes unit/share_kill_test bench_speed cli/formats litmus/points
    litmus/locks)
set(cost 100)
foreach(test IN LISTS longest)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES COST ${cost})
  endif()
  math(EXPR cost "${cost} - 2")
endforeach()
