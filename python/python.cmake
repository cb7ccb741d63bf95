# The Python package: the extension on the stable ABI over the shared library, and the package's files beside it in the build folder, so
# that PYTHONPATH=BUILD/pytycho works. Without Python's headers there is no package.
find_package(Python3 3.11 QUIET COMPONENTS Interpreter Development.SABIModule Development.Module)
if(NOT Python3_Development.Module_FOUND)
  message(STATUS "Python 3.11's headers are not installed: no package tycho for Python")
  return()
endif()
file(GLOB python_sources CONFIGURE_DEPENDS python/src/*.c)
add_library(tycho_python MODULE ${python_sources})
tycho_see_all(${tycho_sees}/python)
target_include_directories(tycho_python PRIVATE ${tycho_sees}/python)
target_include_directories(tycho_python SYSTEM PRIVATE ${Python3_INCLUDE_DIRS})
target_compile_options(tycho_python PRIVATE -Wno-pedantic) # slots hold functions as pointers to anything
target_link_libraries(tycho_python PRIVATE tycho_shared m)
set(python_package ${CMAKE_BINARY_DIR}/pytycho/tycho)
set_target_properties(tycho_python PROPERTIES PREFIX "" OUTPUT_NAME _tycho SUFFIX .abi3.so LIBRARY_OUTPUT_DIRECTORY ${python_package}
  BUILD_RPATH ${CMAKE_BINARY_DIR} INSTALL_RPATH "$ORIGIN/lib")
# the package's own files, as links: a change needs no build
file(GLOB_RECURSE python_files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/python/tycho python/tycho/*.py python/tycho/*.pyi python/tycho/*.yaml python/tycho/*.toml
  python/tycho/py.typed)
foreach(file ${python_files})
  get_filename_component(folder ${python_package}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/python/tycho/${file} ${python_package}/${file} SYMBOLIC)
endforeach()
file(MAKE_DIRECTORY ${python_package}/share)
foreach(folder models scenarios tasks)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${python_package}/share/${folder} SYMBOLIC)
endforeach()
