# CMake package of Backsweep, for projects that compile with clang 22 or flang 22.
#
#     find_package(backsweep REQUIRED)           # CMAKE_PREFIX_PATH: an installation, or cmake/ of the source tree
#     add_executable(model model.c)
#     backsweep_enable(model)                    # compiles with the plugin, links the runtime
#
# The plugin works on code that LLVM 22 compiles; another compiler is an error here, not a surprise at link time.

# An installation keeps this file in lib/cmake/backsweep, the source tree in cmake.
foreach(place ../../.. ..)
  get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/${place}" ABSOLUTE)
  foreach(libraries lib/backsweep target/release)
    if(NOT backsweep_PLUGIN AND EXISTS "${root}/${libraries}/libbacksweep.so")
      set(backsweep_PLUGIN "${root}/${libraries}/libbacksweep.so")
      set(backsweep_RUNTIME "${root}/${libraries}/libbacksweep_rt.a")
      set(backsweep_INCLUDE_DIR "${root}/include")
    endif()
  endforeach()
endforeach()

if(NOT backsweep_PLUGIN)
  set(backsweep_FOUND FALSE)
  set(backsweep_NOT_FOUND_MESSAGE "libbacksweep.so is not built; run `make build`")
  return()
endif()

if(NOT TARGET backsweep::runtime)
  add_library(backsweep::runtime STATIC IMPORTED)
  set_target_properties(backsweep::runtime PROPERTIES
    IMPORTED_LOCATION "${backsweep_RUNTIME}"
    INTERFACE_INCLUDE_DIRECTORIES "${backsweep_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "m;pthread;dl")
endif()

function(backsweep_enable target)
  foreach(language C CXX Fortran)
    if(CMAKE_${language}_COMPILER_LOADED)
      _backsweep_require_llvm_22(${language})
      target_compile_options(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:${language}>:-fpass-plugin=${backsweep_PLUGIN}>")
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE backsweep::runtime)
endfunction()

function(_backsweep_require_llvm_22 language)
  set(compiler "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}")
  if(NOT compiler MATCHES "^(Clang|LLVMFlang) 22[.]")
    message(FATAL_ERROR "backsweep: ${language} is compiled by ${compiler}; the plugin needs clang-22 or flang-22")
  endif()
endfunction()
