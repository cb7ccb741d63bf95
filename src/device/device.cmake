# The device module: OpenCL where it was found, and the files of kernels/ as part of the library.
if(OpenCL_FOUND)
  tycho_module(device HEADERS device.h USES core LIBS OpenCL::OpenCL)
  target_compile_definitions(ty_device PRIVATE TYCHO_OPENCL)
else()
  message(STATUS "OpenCL was not found: the library has only the null device")
  tycho_module(device HEADERS device.h USES core)
endif()
file(GLOB kernel_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/*.h ${CMAKE_SOURCE_DIR}/kernels/*.cl)
set(embedded ${CMAKE_BINARY_DIR}/embedded_kernels.c)
add_custom_command(OUTPUT ${embedded} VERBATIM COMMENT ""
  COMMAND ${CMAKE_COMMAND} "-DFILES=${kernel_files}" -DOUT=${embedded} -P ${CMAKE_SOURCE_DIR}/tools/embed/embed.cmake
  DEPENDS ${kernel_files} ${CMAKE_SOURCE_DIR}/tools/embed/embed.cmake)
target_sources(ty_device PRIVATE ${embedded})
