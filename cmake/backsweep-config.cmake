# CMake package of Backsweep, for projects that compile with clang 22 or flang 22.
#
#     find_package(Backsweep REQUIRED)              # CMAKE_PREFIX_PATH: an installation, or cmake/ of the source tree
#     add_executable(model model.c)
#     backsweep_differentiate(model)                # compiles with the plugin, links the runtime
#     backsweep_differentiate(model LTO)            # and differentiates functions of other files, at link time
#
# or by targets: Backsweep::cc has what compiling needs (the plugin, the headers, the Fortran module), Backsweep::rt what
# linking needs. The plugin works on code that LLVM 22 compiles; another compiler is an error here, not a surprise at
# link time. `find_package(backsweep)` works too.

# An installation keeps this file in lib/cmake/backsweep, the source tree in cmake.
foreach(place ../../.. ..)
  get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/${place}" ABSOLUTE)
  foreach(libraries lib/backsweep target/release)
    if(NOT Backsweep_PLUGIN AND EXISTS "${root}/${libraries}/libbacksweep.so")
      set(Backsweep_PLUGIN "${root}/${libraries}/libbacksweep.so")
      set(Backsweep_RUNTIME "${root}/${libraries}/libbacksweep_rt.a")
      set(Backsweep_INCLUDE_DIR "${root}/include")
      # The source tree keeps backsweep.mod beside the plugin, an installation beside the headers.
      set(Backsweep_MODULE_DIR "${root}/include")
      if(EXISTS "${root}/${libraries}/backsweep.mod")
        set(Backsweep_MODULE_DIR "${root}/${libraries}")
      endif()
    endif()
  endforeach()
endforeach()

if(NOT Backsweep_PLUGIN)
  set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "libbacksweep.so is not built; run `make build`")
  return()
endif()

if(NOT TARGET Backsweep::rt)
  add_library(Backsweep::rt STATIC IMPORTED)
  set_target_properties(Backsweep::rt PROPERTIES
    IMPORTED_LOCATION "${Backsweep_RUNTIME}"
    INTERFACE_LINK_LIBRARIES "m;pthread;dl")

  add_library(Backsweep::cc INTERFACE IMPORTED)
  set_target_properties(Backsweep::cc PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Backsweep_INCLUDE_DIR};${Backsweep_MODULE_DIR}"
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fpass-plugin=${Backsweep_PLUGIN}>"
    INTERFACE_LINK_LIBRARIES Backsweep::rt)
endif()

function(backsweep_differentiate target)
  cmake_parse_arguments(PARSE_ARGV 1 option "LTO" "" "")
  if(option_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "backsweep_differentiate(${target}): ${option_UNPARSED_ARGUMENTS} is no option; LTO is")
  endif()
  foreach(language C CXX Fortran)
    if(CMAKE_${language}_COMPILER_LOADED)
      _backsweep_require_llvm_22(${language})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE Backsweep::cc)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${Backsweep_PLUGIN}" "${Backsweep_RUNTIME}")
  if(option_LTO)
    target_compile_options(${target} PRIVATE -flto=full)
    target_link_options(${target} PRIVATE -flto=full -fuse-ld=lld "LINKER:--load-pass-plugin=${Backsweep_PLUGIN}")
  endif()
endfunction()

# The name of earlier versions.
function(backsweep_enable target)
  backsweep_differentiate(${target} ${ARGN})
endfunction()

function(_backsweep_require_llvm_22 language)
  set(compiler "${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}")
  if(NOT compiler MATCHES "^(Clang|LLVMFlang) 22[.]")
    message(FATAL_ERROR "backsweep: ${language} is compiled by ${compiler}; the plugin needs clang-22 or flang-22")
  endif()
endfunction()
