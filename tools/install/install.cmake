# `cmake --install BUILD --prefix DIR`: program, library, headers, pkg-config file, models, scenarios, man page, shell completion.
include(GNUInstallDirs)

# what a program that links libtycho.a needs besides: the libraries of all modules, once each
set(private_libs "")
get_target_property(linked tycho_lib LINK_LIBRARIES)
list(REMOVE_DUPLICATES linked)
foreach(lib ${linked})
  if(lib MATCHES "^PkgConfig::(.*)$")
    string(REPLACE ";" " " flags "${${CMAKE_MATCH_1}_LDFLAGS}")
  elseif(lib STREQUAL "OpenCL::OpenCL")
    set(flags "-lOpenCL")
  elseif(lib STREQUAL "embree")
    set(flags "-lembree3")
  elseif(lib STREQUAL "exr_core")
    set(flags "-lOpenEXRCore")
  elseif(lib STREQUAL "mujoco")
    set(flags "-l:libmujoco.so.3.17.0") # installed beside it
  elseif(TARGET ${lib})
    message(FATAL_ERROR "tools/install/install.cmake does not know how to write '${lib}' into tycho.pc")
  else()
    set(flags "-l${lib}")
  endif()
  string(APPEND private_libs " ${flags}")
endforeach()
# from the folder of tycho.pc up to the prefix: lib/pkgconfig, lib/x86_64-linux-gnu/pkgconfig
file(RELATIVE_PATH pc_up /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(tools/install/tycho.pc.in ${CMAKE_BINARY_DIR}/tycho.pc @ONLY)

# the man page is what --help says
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/tycho.1 VERBATIM COMMENT ""
  COMMAND sh -c "\"$1\" --man >\"$2\"" sh $<TARGET_FILE:tycho> ${CMAKE_BINARY_DIR}/tycho.1 DEPENDS tycho)
add_custom_target(man ALL DEPENDS ${CMAKE_BINARY_DIR}/tycho.1)

# MuJoCo is no package of the system: it goes along, and program and library look for it from where they are
file(RELATIVE_PATH lib_from_bin /p/${CMAKE_INSTALL_BINDIR} /p/${CMAKE_INSTALL_LIBDIR})
set_target_properties(tycho PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
set_target_properties(tycho_shared PROPERTIES INSTALL_RPATH "$ORIGIN")
install(FILES ${mujoco_library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tycho RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS tycho_lib tycho_shared ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tycho_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}) # what `tycho fmu` puts into FMUs
if(TARGET tycho_mpi)
  install(TARGETS tycho_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY include/tycho DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY models scenarios sweeps DESTINATION ${CMAKE_INSTALL_DATADIR}/tycho)
install(FILES ${CMAKE_BINARY_DIR}/tycho.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/tycho.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES tools/install/tycho.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tycho)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
