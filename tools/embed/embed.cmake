# Writes every file of FILES into OUT as C byte arrays with a table of names, so that an installed library
# needs no source tree: cmake -DFILES="a;b" -DOUT=embedded.c -P embed.cmake
# SPDX-License-Identifier: BSD-3-Clause
set(text "/* made by tools/embed/embed.cmake; do not edit */\n#include \"source.h\"\n\n")
set(table "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} id)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "    \\1\n"
    bytes "${bytes}")
  string(APPEND text "static const unsigned char ${id}[] = {\n${bytes}0x00\n};\n\n")
  string(APPEND table "    { \"${name}\", ${id}, sizeof ${id} - 1 },\n")
endforeach()
string(APPEND text "const tyi_device_embedded tyi_device_embedded_files[] = {\n${table}    { 0, 0, 0 },\n};\n")
file(WRITE ${OUT} "${text}")
