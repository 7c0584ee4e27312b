# SPDX-License-Identifier: BSD-2-Clause
#
# heddle_add_test(NAME <name> TARGET <executable>
#                 [RUN | VERIFY] [EACH] [PLAIN] [WITHOUT <library>...]
#                 [BUDGET 30s] [BOUND <n>] [STRATEGY <s>] [POINTS <p>]
#                 [OPTIONS <option of heddle>...] [ARGS <argument of the program>...]
#                 [LABELS <label>...] [TIMEOUT <seconds>])
#
# Registers a CTest that searches the interleavings of a program (docs/integration.md).
#
# The target stays as it is: an instrumented copy of it, <executable>_heddle, and of the
# libraries of the project that it links, is built beside it.  It is made at the end of the
# directory, so that what is said of the target after this call counts, too.  In a build whose
# compiler is `heddle cc` there is nothing to copy.
cmake_policy(VERSION 3.19...3.25) # DEFER, and names with blanks

# What a copy has in common with its original, where it is set.
set(_HEDDLE_COPIED
  INCLUDE_DIRECTORIES SYSTEM_INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES
  COMPILE_FLAGS LINK_OPTIONS LINK_DIRECTORIES LINK_FLAGS PRECOMPILE_HEADERS
  INTERFACE_INCLUDE_DIRECTORIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES INTERFACE_COMPILE_DEFINITIONS
  INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_FEATURES INTERFACE_LINK_OPTIONS
  INTERFACE_LINK_DIRECTORIES
  C_STANDARD C_STANDARD_REQUIRED C_EXTENSIONS CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS
  C_VISIBILITY_PRESET CXX_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN POSITION_INDEPENDENT_CODE
  ENABLE_EXPORTS LINKER_LANGUAGE AUTOMOC AUTOUIC AUTORCC)

# The copy of a library of this project, or the item itself when it is something else.
function(_heddle_library_copy item without result)
  set(${result} "${item}" PARENT_SCOPE)
  if(NOT TARGET "${item}")
    return()
  endif()
  get_target_property(real "${item}" ALIASED_TARGET)
  if(NOT real)
    set(real "${item}")
  endif()
  get_target_property(imported "${real}" IMPORTED)
  get_target_property(type "${real}" TYPE)
  if(imported OR NOT type MATCHES "^(STATIC|SHARED|OBJECT)_LIBRARY$" OR
     item IN_LIST without OR real IN_LIST without)
    return()
  endif()
  if(NOT TARGET "${real}_heddle")
    string(REPLACE "_LIBRARY" "" kind "${type}")
    add_library("${real}_heddle" ${kind} EXCLUDE_FROM_ALL)
    _heddle_fill_copy("${real}" "${without}")
  endif()
  set(${result} "${real}_heddle" PARENT_SCOPE)
endfunction()

# Items of a property that name libraries, each replaced by its copy.
function(_heddle_copy_items target property without)
  get_target_property(items "${target}" ${property})
  set(copies)
  foreach(item IN LISTS items)
    if(item MATCHES "^\\$<TARGET_OBJECTS:([^<>]+)>$")
      _heddle_library_copy("${CMAKE_MATCH_1}" "${without}" copy)
      list(APPEND copies "$<TARGET_OBJECTS:${copy}>")
    elseif(item MATCHES "^\\$<LINK_ONLY:([^<>]+)>$")
      _heddle_library_copy("${CMAKE_MATCH_1}" "${without}" copy)
      list(APPEND copies "$<LINK_ONLY:${copy}>")
    elseif(item AND NOT item MATCHES "^::@")
      _heddle_library_copy("${item}" "${without}" copy)
      list(APPEND copies "${copy}")
    endif()
  endforeach()
  set_property(TARGET "${target}_heddle" PROPERTY ${property} "${copies}")
endfunction()

# Sources may be named relative to the directory of the target, which may be another one.
function(_heddle_absolute_sources target)
  get_target_property(sources "${target}_heddle" SOURCES)
  get_target_property(directory "${target}" SOURCE_DIR)
  set(absolute)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "^\\$<" AND NOT IS_ABSOLUTE "${source}" AND EXISTS "${directory}/${source}")
      set(source "${directory}/${source}")
    endif()
    list(APPEND absolute "${source}")
  endforeach()
  set_property(TARGET "${target}_heddle" PROPERTY SOURCES "${absolute}")
endfunction()

function(_heddle_fill_copy target without)
  foreach(property IN LISTS _HEDDLE_COPIED)
    get_property(is_set TARGET "${target}" PROPERTY ${property} SET)
    if(is_set)
      get_property(value TARGET "${target}" PROPERTY ${property})
      set_property(TARGET "${target}_heddle" PROPERTY ${property} "${value}")
    endif()
  endforeach()
  foreach(property SOURCES LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    _heddle_copy_items("${target}" ${property} "${without}")
  endforeach()
  _heddle_absolute_sources("${target}")
  target_link_libraries("${target}_heddle" PRIVATE heddle::instrument)
  add_dependencies("${target}_heddle" "${target}") # what makes generated sources runs once
endfunction()

# The target to run: the copy of an executable, made by the first test that needs it.
function(_heddle_program target without result)
  set(${result} "${target}" PARENT_SCOPE)
  foreach(compiler "${CMAKE_C_COMPILER}" "${CMAKE_CXX_COMPILER}")
    if(compiler MATCHES "/heddle$")
      return()
    endif()
  endforeach()
  set(${result} "${target}_heddle" PARENT_SCOPE)
  if(TARGET "${target}_heddle")
    get_target_property(before "${target}_heddle" HEDDLE_WITHOUT)
    if(NOT "${before}" STREQUAL "${without}")
      message(FATAL_ERROR "heddle_add_test: tests of ${target} differ in WITHOUT; they share one copy")
    endif()
    return()
  endif()
  add_executable("${target}_heddle")
  set_property(TARGET "${target}_heddle" PROPERTY HEDDLE_WITHOUT "${without}")
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _heddle_fill_copy [[${target}]] [[${without}]])")
endfunction()

# 500ms, 30s, 5m and 2h as whole seconds.
function(_heddle_seconds budget result)
  if(NOT budget MATCHES "^([0-9]+)(ms|s|m|h)$")
    message(FATAL_ERROR "heddle_add_test: BUDGET ${budget}: expected a number and ms, s, m or h")
  endif()
  set(factor_s 1)
  set(factor_m 60)
  set(factor_h 3600)
  if(CMAKE_MATCH_2 STREQUAL "ms")
    math(EXPR seconds "(${CMAKE_MATCH_1} + 999) / 1000")
  else()
    math(EXPR seconds "${CMAKE_MATCH_1} * ${factor_${CMAKE_MATCH_2}}")
  endif()
  set(${result} ${seconds} PARENT_SCOPE)
endfunction()

# Says what is wrong with the arguments; those of heddle_add_test are visible here.
function(_heddle_check_arguments)
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "heddle_add_test: what is meant by "
                        "'${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'?")
  endif()
  if(NOT arg_NAME OR NOT arg_TARGET)
    message(FATAL_ERROR "heddle_add_test: NAME and TARGET are needed")
  endif()
  if(arg_RUN AND arg_VERIFY)
    message(FATAL_ERROR "heddle_add_test: ${arg_NAME}: either RUN or VERIFY")
  endif()
  set(type)
  if(TARGET "${arg_TARGET}")
    get_target_property(type "${arg_TARGET}" TYPE)
  endif()
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "heddle_add_test: ${arg_NAME}: ${arg_TARGET} is no target that is an executable")
  endif()
endfunction()

function(heddle_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "RUN;VERIFY;EACH;PLAIN"
    "NAME;TARGET;BOUND;BUDGET;STRATEGY;POINTS;TIMEOUT" "ARGS;OPTIONS;WITHOUT;LABELS")
  _heddle_check_arguments()
  if(arg_PLAIN)
    set(program "${arg_TARGET}")
  else()
    _heddle_program("${arg_TARGET}" "${arg_WITHOUT}" program)
  endif()

  string(REGEX REPLACE "[^A-Za-z0-9_.+-]" "_" file "${arg_NAME}")
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/heddle")
  file(MAKE_DIRECTORY "${directory}")
  if(arg_VERIFY)
    set(command "${HEDDLE_EXECUTABLE}" verify)
  else()
    # A search that ends with its budget (4) has found nothing, which is all that was asked.
    set(command sh -c [["$@" || exit $(($? == 4 ? 0 : $?))]] heddle "${HEDDLE_EXECUTABLE}" run)
    if(NOT arg_BUDGET)
      set(arg_BUDGET 30s)
    endif()
  endif()
  list(APPEND command -o "${directory}/${file}" --junit "${directory}/${file}.xml" --test-name "${arg_NAME}")
  foreach(option BUDGET BOUND STRATEGY POINTS)
    if(DEFINED arg_${option})
      string(TOLOWER "--${option}" word)
      list(APPEND command "${word}" "${arg_${option}}")
    endif()
  endforeach()
  if(arg_EACH)
    list(APPEND command --each)
  endif()
  add_test(NAME "${arg_NAME}"
    COMMAND ${command} ${arg_OPTIONS} -- "$<TARGET_FILE:${program}>" ${arg_ARGS})
  set_tests_properties("${arg_NAME}" PROPERTIES LABELS "heddle;${arg_LABELS}" SKIP_RETURN_CODE 77)

  # A budget is for each test of the program: how many there are is not known here.
  if(NOT arg_TIMEOUT AND arg_BUDGET AND NOT arg_EACH)
    _heddle_seconds("${arg_BUDGET}" seconds)
    math(EXPR arg_TIMEOUT "2 * ${seconds} + 60")
  endif()
  if(arg_TIMEOUT)
    set_tests_properties("${arg_NAME}" PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
endfunction()
