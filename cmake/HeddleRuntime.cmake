# SPDX-License-Identifier: BSD-2-Clause
#
# libheddle.so: the runtime inside the program under test, compiled once and
# linked under three names (the loader matches libraries by their soname).
#
# Flags, each for a reason:
#   -fvisibility=hidden          only what is exported on purpose can be interposed
#   -fno-stack-protector         its canary is read through FS, which we switch
#   -fcf-protection=none         nothing at the entry of a hook but the hook
#   -U_FORTIFY_SOURCE, -fno-builtin, no loop-to-memset conversion
#                                no hidden calls to functions that we interpose
#   -march=x86-64-v2             popcnt; every CPU since 2009 has it
#   -fexceptions (once only)     a routine of call_once may throw or be cancelled
#   -z initfirst                 its constructors run before those of libraries that do not depend on it (watch/tx_cpuid.h, C2)
#   -fdata-sections, --sort-section=alignment
#                                small variables lie together, apart from tables: an execution
#                                writes fewer pages, each of which a forked worker must copy
#   -z now, -z defs              nothing is bound lazily, nothing is left open
#   -flto (hot files only)       see runtime_hot below
# No version script: a symbol version on an interposed function makes the loader
# pass it by without a word.
include(CheckCCompilerFlag)

heddle_sources(runtime_sources base model search detect linear wire runtime)
list(FILTER runtime_sources EXCLUDE REGEX "/model/schedule|/base/(json|map|memory|regular)") # files are the tool's business
file(GLOB_RECURSE runtime_assembly CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/runtime/*.S")

set(runtime_flags -O3 -falign-functions=64 -mtune=haswell -fomit-frame-pointer -fvisibility=hidden -fno-stack-protector
  -fcf-protection=none -fdata-sections -fno-plt -U_FORTIFY_SOURCE -fno-builtin -march=x86-64-v2)
check_c_compiler_flag(-fno-tree-loop-distribute-patterns HEDDLE_HAS_NO_LOOP_PATTERNS)
if(HEDDLE_HAS_NO_LOOP_PATTERNS AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
  list(APPEND runtime_flags -fno-tree-loop-distribute-patterns)
endif()
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/runtime/calls/once.c"
  PROPERTIES COMPILE_OPTIONS -fexceptions)

# heddle_runtime_objects(<target> <source>...)
function(heddle_runtime_objects target)
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE heddle_flags)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:${runtime_flags}>)
endfunction()

# Files with code that runs at every operation or in every execution.  The compiler optimises them as
# one: calls between them, also those through hd_callbacks, are inlined.  (The whole runtime at once
# would take a minute for each change.)  The result is one object file, hot.o, which each of the
# libraries below takes in place of these files.  They are a target of their own, because -flto as a
# property of the files would also reach the tool and every unit test, whose links take seconds with it.
set(runtime_hot
  detect/clocks detect/lines detect/race detect/shadow
  runtime/calls/exit runtime/calls/key runtime/calls/mutex runtime/calls/sem runtime/calls/thread
  runtime/core/early_threads runtime/core/enabled runtime/core/execution runtime/core/fiber runtime/core/float_modes
  runtime/core/gate runtime/core/note runtime/core/object runtime/core/output runtime/core/restart
  runtime/core/thread runtime/core/thread_end runtime/core/time runtime/core/tokens
  runtime/hooks/access runtime/hooks/atomic runtime/hooks/tsan
  runtime/kernel/shared_state
  runtime/progress/await runtime/progress/await_places runtime/progress/cycle runtime/progress/limit
  runtime/progress/lock_poll runtime/progress/loop runtime/progress/poll runtime/progress/prologue
  runtime/restore/alias runtime/restore/file_turns runtime/restore/heap runtime/restore/heap_query
  runtime/restore/process runtime/restore/snapshot runtime/restore/undo
  runtime/report/suppression
  runtime/watch/checks runtime/watch/deadlock runtime/watch/detectors runtime/watch/fault runtime/watch/invariants
  runtime/watch/leak runtime/watch/linear runtime/watch/locks runtime/watch/output runtime/watch/plain
  runtime/watch/points runtime/watch/predict runtime/watch/race runtime/watch/race_outcome runtime/watch/reached
  runtime/watch/transaction runtime/watch/unseen_probe
  runtime/worker/callbacks runtime/worker/selfcheck runtime/worker/shared_passes runtime/worker/verdict
  runtime/worker/worker
  search/core/estimate search/core/follow search/core/passes search/core/search search/core/step search/core/waits
  search/por/beside search/por/conflicts search/por/decided search/por/dpor search/por/dpor_races search/por/path
  search/por/race_cover search/por/reversal search/por/trace search/por/wakeup
  search/sample/draw search/sample/random
  wire/wire)
list(TRANSFORM runtime_hot REPLACE ".+" "${PROJECT_SOURCE_DIR}/src/\\0.c")
list(REMOVE_ITEM runtime_sources ${runtime_hot})
heddle_runtime_objects(hd_runtime_objects ${runtime_sources} ${runtime_assembly})
heddle_runtime_objects(hd_runtime_hot ${runtime_hot})
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  target_compile_options(hd_runtime_hot PRIVATE -flto)
  set(hot "${PROJECT_BINARY_DIR}/hot.o")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(hot_flags NATIVE_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}")
  add_custom_command(OUTPUT "${hot}" DEPENDS $<TARGET_OBJECTS:hd_runtime_hot>
    COMMAND "${CMAKE_C_COMPILER}" ${hot_flags} -fPIC ${runtime_flags} -flto -flto-partition=one
            -flinker-output=nolto-rel -r -nostdlib -o "${hot}" $<TARGET_OBJECTS:hd_runtime_hot>
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "Optimising the hot part of the runtime")
else()
  set(hot $<TARGET_OBJECTS:hd_runtime_hot>)
endif()
set(runtime_link_objects $<TARGET_OBJECTS:hd_runtime_objects> ${hot})

# heddle_runtime(<target> <directory under lib> <file name>)
function(heddle_runtime target directory file)
  add_library(${target} SHARED ${runtime_link_objects})
  set_target_properties(${target} PROPERTIES
    PREFIX "" SUFFIX "" OUTPUT_NAME "${file}" NO_SONAME ON LINKER_LANGUAGE C
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib${directory}")
  target_link_options(${target} PRIVATE
    "LINKER:-soname,${file},-z,now,-z,defs,-z,initfirst,--as-needed,--sort-section=alignment")
endfunction()

heddle_runtime(heddle_rt "" libheddle.so)
heddle_runtime(heddle_rt_tsan_gcc /tsan libtsan.so.2)
heddle_runtime(heddle_rt_tsan_clang /tsan libclang_rt.tsan-x86_64.so)

# What -ltsan finds when `heddle cc` lets gcc link.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/lib/tsan/link")
file(CREATE_LINK ../../libheddle.so "${PROJECT_BINARY_DIR}/lib/tsan/link/libtsan.so" SYMBOLIC)

# The assembler that clang starts for programs with transactions (src/cli/cmd_cc.c).
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/lib/clang")
file(CREATE_LINK ../../bin/heddle "${PROJECT_BINARY_DIR}/lib/clang/as" SYMBOLIC)

foreach(header heddle.h test.h linear.h mail.h actor.h kernel.h seen.h)
  configure_file("${PROJECT_SOURCE_DIR}/include/heddle/${header}"
                 "${PROJECT_BINARY_DIR}/include/heddle/${header}" COPYONLY)
endforeach()

# libheddle-each.so: preloaded with --each into programs of frameworks that cannot run one
# test in their own process.
heddle_sources(each_sources each)
add_library(heddle_each SHARED ${each_sources})
target_link_libraries(heddle_each PRIVATE heddle_flags)
target_compile_options(heddle_each PRIVATE -fvisibility=hidden)
target_link_options(heddle_each PRIVATE "LINKER:-z,now,-z,defs,--as-needed")
set_target_properties(heddle_each PROPERTIES
  OUTPUT_NAME heddle-each LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# libheddle-noise.so: preloaded by --strategy noise, which runs native threads.
heddle_sources(noise_sources noise)
add_library(heddle_noise SHARED ${noise_sources} "${PROJECT_SOURCE_DIR}/src/noise/noise_x86_64.S")
target_link_libraries(heddle_noise PRIVATE heddle_flags)
target_compile_options(heddle_noise PRIVATE $<$<COMPILE_LANGUAGE:C>:-fvisibility=hidden>)
target_link_options(heddle_noise PRIVATE "LINKER:-z,now,-z,defs,--as-needed")
set_target_properties(heddle_noise PROPERTIES
  OUTPUT_NAME heddle-noise LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# libheddle-actor: actors (heddle/actor.h), for programs that ship with it as well as under Heddle.  It
# uses nothing of the runtime but the weak symbols of the public headers.
heddle_sources(actor_sources actor)
add_library(heddle_actor_objects OBJECT ${actor_sources})
target_link_libraries(heddle_actor_objects PRIVATE heddle_flags)
target_compile_options(heddle_actor_objects PRIVATE -fvisibility=hidden -fno-plt -fno-reorder-functions
  $<$<C_COMPILER_ID:GNU>:-fno-reorder-blocks-and-partition>) # all code in .text: see below
set_target_properties(heddle_actor_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(heddle_actor SHARED $<TARGET_OBJECTS:heddle_actor_objects>)
target_link_options(heddle_actor PRIVATE "LINKER:-z,now,-z,defs,--as-needed")
add_library(heddle_actor_static STATIC $<TARGET_OBJECTS:heddle_actor_objects>)
# In a program the archive's code lies beside the program's.  This section tells them apart (heddle/mail.h).
add_custom_command(TARGET heddle_actor_static POST_BUILD
  COMMAND ${CMAKE_OBJCOPY} --rename-section .text=heddle_announces $<TARGET_FILE:heddle_actor_static>)
set_target_properties(heddle_actor heddle_actor_static PROPERTIES
  OUTPUT_NAME heddle-actor LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
  ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# libheddle-kernel.so: the plugin for QEMU, with the search inside it.
heddle_sources(kernel_sources base model search kernel/plugin)
list(FILTER kernel_sources EXCLUDE REGEX "/model/schedule|/base/(json|map|memory|regular)")
add_library(heddle_kernel SHARED ${kernel_sources})
target_link_libraries(heddle_kernel PRIVATE heddle_flags)
target_compile_options(heddle_kernel PRIVATE -fvisibility=hidden)
target_link_options(heddle_kernel PRIVATE "LINKER:-z,now,-Bsymbolic,--as-needed") # QEMU's own functions are left open
set_target_properties(heddle_kernel PROPERTIES
  OUTPUT_NAME heddle-kernel LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# libheddle-guest.a: linked into tests that run inside Linux (heddle/kernel.h), of which it is the first program.
heddle_sources(guest_sources kernel/guest)
add_library(heddle_guest STATIC ${guest_sources})
target_link_libraries(heddle_guest PRIVATE heddle_flags)
target_compile_options(heddle_guest PRIVATE -fno-pie)
set_target_properties(heddle_guest PROPERTIES
  OUTPUT_NAME heddle-guest POSITION_INDEPENDENT_CODE OFF ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
