# SPDX-License-Identifier: BSD-2-Clause
# perf0-config.cmake - `find_package(perf0)` of CMake: tests that fail where a program executes more than its baseline.
#
#   perf0_add_benchmark(NAME TARGET target [ARGS arg...] [BASELINE file] [EVENTS list] [TOLERANCE tolerance])
#
# adds the test NAME, `perf0 gate -- target arg...`, which `ctest` runs. It compares with the file BASELINE, by default
# perf0/NAME.baseline in the source folder, which belongs into version control. EVENTS and TOLERANCE are as in
# docs/GATE.md. The target perf0-update measures all benchmarks, and writes their baselines.
find_program(PERF0_PROGRAM perf0 HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "the program perf0")
if(NOT PERF0_PROGRAM)
  set(perf0_FOUND FALSE)
  set(perf0_NOT_FOUND_MESSAGE "there is no program perf0")
  return()
endif()

function(perf0_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 of "" "TARGET;BASELINE;EVENTS;TOLERANCE" "ARGS")
  if(NOT of_TARGET OR of_UNPARSED_ARGUMENTS OR of_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "perf0_add_benchmark(NAME TARGET target [ARGS arg...] [BASELINE file] [EVENTS list] [TOLERANCE tolerance])")
  endif()
  if(NOT of_BASELINE)
    set(of_BASELINE "perf0/${name}.baseline")
  endif()
  get_filename_component(baseline "${of_BASELINE}" ABSOLUTE)
  set(gate "${PERF0_PROGRAM}" gate --baseline "${baseline}")
  if(of_EVENTS)
    list(APPEND gate -e "${of_EVENTS}")
  endif()
  if(of_TOLERANCE)
    list(APPEND gate --tolerance "${of_TOLERANCE}")
  endif()
  add_test(NAME "${name}" COMMAND ${gate} -- "$<TARGET_FILE:${of_TARGET}>" ${of_ARGS})
  if(NOT TARGET perf0-update)
    add_custom_target(perf0-update)
  endif()
  get_filename_component(folder "${baseline}" DIRECTORY)
  add_custom_target("perf0-update-${name}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND ${gate} --update -- "$<TARGET_FILE:${of_TARGET}>" ${of_ARGS}
    VERBATIM)
  add_dependencies("perf0-update-${name}" "${of_TARGET}")
  add_dependencies(perf0-update "perf0-update-${name}")
endfunction()
