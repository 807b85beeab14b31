# SPDX-License-Identifier: GPL-3.0-or-later
# LibTorch as one small imported target. torch's own CMake package wants a CUDA toolkit and a GPU; two include
# folders and two libraries are all that the worker needs.
if(NOT KW_TORCH_DIR)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(cache $ENV{XDG_CACHE_HOME})
  else()
    set(cache $ENV{HOME}/.cache)
  endif()
  file(GLOB candidates
    ${cache}/kernelwright/venv/lib/python3.*/site-packages/torch
    ${cache}/kernelwright/venv-minimal/lib/python3.*/site-packages/torch)
  foreach(candidate ${candidates})
    if(EXISTS ${candidate}/lib/libtorch_cpu.so)
      set(KW_TORCH_DIR ${candidate} CACHE PATH "The torch package's folder" FORCE)
      break()
    endif()
  endforeach()
endif()
if(NOT EXISTS ${KW_TORCH_DIR}/lib/libtorch_cpu.so)
  message(FATAL_ERROR "LibTorch was not found. Run packaging/run.sh, or set KW_TORCH_DIR to an installed torch 2.11 package.")
endif()
add_library(kw_torch INTERFACE)
target_include_directories(kw_torch SYSTEM INTERFACE
  ${KW_TORCH_DIR}/include ${KW_TORCH_DIR}/include/torch/csrc/api/include)
target_link_directories(kw_torch INTERFACE ${KW_TORCH_DIR}/lib)
target_link_libraries(kw_torch INTERFACE torch_cpu c10)
target_link_options(kw_torch INTERFACE -Wl,-rpath,${KW_TORCH_DIR}/lib)
