# SPDX-License-Identifier: BSD-2-Clause
#
# The tool, and the documents that it writes about itself.
heddle_sources(cli_sources cli)
list(REMOVE_ITEM cli_sources "${PROJECT_SOURCE_DIR}/src/cli/main.c")
add_library(hd_cli STATIC ${cli_sources})
target_link_libraries(hd_cli PUBLIC hd_campaign hd_status hd_program hd_conductor hd_scan hd_study hd_serve hd_kernel_drive hd_report hd_shrink hd_search hd_detect hd_wire hd_linear hd_history hd_model
                                    hd_base PkgConfig::DW m)

add_executable(heddle src/cli/main.c)
target_link_libraries(heddle PRIVATE hd_cli)
# Every search and every step of `heddle cc` starts the tool.  At a fixed address it needs no
# relocation: with Capstone's tables that is half of its start.
target_link_options(heddle PRIVATE -no-pie)
set_target_properties(heddle PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# heddle_document(<file under share> <arguments of heddle options>...)
set(HEDDLE_DOCUMENTS)
function(heddle_document file)
  set(out "${PROJECT_BINARY_DIR}/share/${file}")
  get_filename_component(directory "${out}" DIRECTORY)
  file(MAKE_DIRECTORY "${directory}")
  string(REPLACE ";" " " arguments "${ARGN}")
  add_custom_command(OUTPUT "${out}"
    COMMAND sh -c "\"$1\" options ${arguments} > \"$2\"" sh $<TARGET_FILE:heddle> "${out}"
    DEPENDS heddle VERBATIM)
  set(HEDDLE_DOCUMENTS ${HEDDLE_DOCUMENTS} "${out}" PARENT_SCOPE)
endfunction()

heddle_document(man/man1/heddle.1 --man heddle)
foreach(verb cc c++ run verify linearize history replay report minimize recheck suppress estimate status campaign worker serve study kernel list doctor version)
  heddle_document(man/man1/heddle-${verb}.1 --man ${verb})
endforeach()
heddle_document(bash-completion/completions/heddle --bash)
heddle_document(zsh/site-functions/_heddle --zsh)
heddle_document(fish/vendor_completions.d/heddle.fish --fish)
add_custom_target(heddle_documents ALL DEPENDS ${HEDDLE_DOCUMENTS})

# What gdb is to know of schedules (heddle replay --gdb).
file(GLOB gdb_sources CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/src/gdb"
     "${PROJECT_SOURCE_DIR}/src/gdb/*.py" "${PROJECT_SOURCE_DIR}/src/gdb/heddle/*.py")
foreach(source IN LISTS gdb_sources)
  configure_file("${PROJECT_SOURCE_DIR}/src/gdb/${source}"
                 "${PROJECT_BINARY_DIR}/share/heddle/gdb/${source}" COPYONLY)
endforeach()
