# SPDX-License-Identifier: GPL-3.0-or-later
# One CMake target per source folder. A folder's headers are reached through a private include root in the
# build tree that holds a single symbolic link, so only targets that link a layer can include from it.

find_program(KW_MOLD mold)
if(KW_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
add_link_options(-Wl,--as-needed)

# In a unity build several files are one: a local name is no mistake because another file has it too.
set(KW_SHADOW -Wshadow)
if(CMAKE_UNITY_BUILD)
  set(KW_SHADOW -Wshadow=local -Wno-subobject-linkage)
endif()
add_library(kw_flags INTERFACE)
target_compile_options(kw_flags INTERFACE
  -Wall -Wextra -Wpedantic ${KW_SHADOW} -Wconversion -Wno-sign-conversion -Wold-style-cast -Wsuggest-override
  $<$<BOOL:${KW_WERROR}>:-Werror>
  # GCC 12 sees overlapping and endless copies in std::string's own operator+ (its bug 105651).
  $<$<BOOL:${KW_WERROR}>:-Wno-restrict>
  $<$<BOOL:${KW_WERROR}>:-Wno-stringop-overflow>)
if(KW_FUZZ)
  target_compile_options(kw_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(KW_SANITIZE)
  target_compile_options(kw_flags INTERFACE -fsanitize=${KW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(kw_flags INTERFACE -fsanitize=${KW_SANITIZE})
endif()

# Third-party headers that nearly every file reads, parsed once. They are no licence to leave out an include:
# the presets debug and fuzz build without them. PIC everywhere, since a precompiled header serves one code model only.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(kw_flags INTERFACE -fPIC -fpch-preprocess)
endif()
set(KW_PRELUDE <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <map> <memory> <optional>
  <random> <set> <sstream> <stop_token> <string> <string_view> <unordered_map> <unordered_set> <variant> <vector> <nlohmann/json.hpp>)

# kw_prelude(TARGET HEADER ...): makes TARGET, whose precompiled headers other targets share.
function(kw_prelude target)
  cmake_parse_arguments(arg "" "" "HEADERS;LIBRARIES" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp CONTENT "")
  add_library(${target} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  set_target_properties(${target} PROPERTIES AUTOMOC OFF LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE kw_flags nlohmann_json::nlohmann_json Threads::Threads ${arg_LIBRARIES})
  target_precompile_headers(${target} PRIVATE ${KW_PRELUDE} ${arg_HEADERS})
endfunction()
kw_prelude(kw_prelude_engine)

# kw_include_root(TARGET SCOPE FOLDER): lets TARGET include "FOLDER/..." from the current source folder.
function(kw_include_root target scope folder)
  set(root ${CMAKE_BINARY_DIR}/include/${target})
  file(MAKE_DIRECTORY ${root})
  if(NOT EXISTS ${root}/${folder})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${folder} SYMBOLIC)
  endif()
  target_include_directories(${target} ${scope} ${root})
endfunction()

# kw_layer(NAME USES engine_base ... LIBRARIES third-party ... WITHOUT main.cpp ...)
# makes the static library NAME from every .cpp below the current folder.
# USES is public (layers), LIBRARIES is private (third-party code stays inside one layer), PRELUDE names its precompiled headers.
function(kw_layer name)
  cmake_parse_arguments(arg "" "FOLDER;PRELUDE" "USES;LIBRARIES;WITHOUT" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp *.h)
  foreach(file ${arg_WITHOUT})
    list(REMOVE_ITEM sources ${file})
  endforeach()
  if(NOT arg_FOLDER)
    get_filename_component(arg_FOLDER ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  endif()
  if(NOT sources MATCHES "\\.cpp")
    # A layer of headers only still is a library, so that its users need not know.
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}_headers_only.cpp CONTENT "")
    list(APPEND sources ${CMAKE_CURRENT_BINARY_DIR}/${name}_headers_only.cpp)
  endif()
  add_library(${name} STATIC ${sources})
  # A layer's tests may use its third-party code too: tests/CMakeLists.txt reads this property.
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX KW_LIBRARIES "${arg_LIBRARIES}")
  kw_include_root(${name} PUBLIC ${arg_FOLDER})
  target_link_libraries(${name} PUBLIC ${arg_USES} PRIVATE kw_flags ${arg_LIBRARIES})
  if(NOT arg_PRELUDE)
    set(arg_PRELUDE kw_prelude_engine)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${arg_PRELUDE})
endfunction()

# kw_program(NAME LIBRARIES ...): the executable NAME from the current folder's main.cpp.
function(kw_program name)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
    message(STATUS "${name} is left out: it has no main.cpp")
    return()
  endif()
  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE ${ARGN} kw_flags)
endfunction()
