# SPDX-License-Identifier: BSD-2-Clause
#
# One static library per module of src/, for the tool and the unit tests.  (The
# runtime compiles the modules it needs again, with its own flags.)

# heddle_sources(<variable> <module>...): all C files of these modules and of their folders.
function(heddle_sources variable)
  set(all)
  foreach(module IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${module}/*.c")
    list(APPEND all ${found})
  endforeach()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()

# heddle_module(<module> <libraries it uses>...)
function(heddle_module module)
  heddle_sources(sources ${module})
  string(REPLACE "/" "_" module ${module})
  if(sources)
    add_library(hd_${module} STATIC ${sources})
    target_link_libraries(hd_${module} PUBLIC heddle_flags ${ARGN})
  else()
    add_library(hd_${module} INTERFACE)
    target_link_libraries(hd_${module} INTERFACE heddle_flags ${ARGN})
  endif()
endfunction()

heddle_module(base)
heddle_module(model hd_base)
heddle_module(search hd_model hd_base)
heddle_module(detect hd_model hd_base)
heddle_module(linear hd_base)
heddle_module(history hd_base)
heddle_module(wire hd_linear hd_model hd_base)
heddle_module(conductor hd_wire hd_model hd_base)
heddle_module(report hd_wire hd_linear hd_model hd_base PkgConfig::DW)
heddle_module(shrink hd_model hd_base)
heddle_module(store hd_base PkgConfig::SQLITE ${CMAKE_DL_LIBS})
target_include_directories(hd_store PRIVATE ${PQ_INCLUDE_DIRS})
heddle_module(scan hd_base PkgConfig::DW PkgConfig::CAPSTONE)
heddle_module(program hd_scan hd_wire hd_model hd_base PkgConfig::DW)
heddle_module(status hd_conductor hd_report hd_wire hd_model hd_base m)
heddle_module(campaign hd_store hd_program hd_status hd_conductor hd_report hd_shrink hd_search hd_detect hd_wire hd_linear hd_model hd_base)
# The tool's side of kernel: what runs inside QEMU is compiled in HeddleRuntime.cmake.
heddle_module(kernel/drive hd_search hd_model hd_base PkgConfig::DW)
heddle_module(study hd_campaign hd_search hd_report hd_conductor hd_base PkgConfig::SQLITE m)
heddle_module(serve hd_store hd_report hd_base ${CMAKE_DL_LIBS} m)
target_include_directories(hd_serve PRIVATE ${MHD_INCLUDE_DIRS})

# heddle_pages(<module>): the template of its HTML page, in html/, is a part of the tool.
# The theme of all pages is the report's.
function(heddle_pages module)
  set(html "${PROJECT_SOURCE_DIR}/src/${module}/html")
  set(theme "${PROJECT_SOURCE_DIR}/src/report/html")
  file(GLOB template CONFIGURE_DEPENDS "${html}/*.html" "${html}/*.css" "${html}/*.js" "${html}/*.svg" "${theme}/theme.css")
  target_sources(hd_${module} PRIVATE "${html}/embed.S")
  set_source_files_properties("${html}/embed.S" PROPERTIES OBJECT_DEPENDS "${template}"
    COMPILE_OPTIONS "-I${html};-I${theme}")
endfunction()

heddle_pages(report)
heddle_pages(study)
heddle_pages(serve)
