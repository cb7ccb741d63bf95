#!/usr/bin/env bash
# Prints docs/api.md: every public header with the first sentence of its comment. tools/api/page.sh > docs/api.md
cd "$(dirname "$0")/../.."
cat <<'TOP'
# The C API, header by header
<!-- printed by tools/api/page.sh from the headers' first sentences; change those, not this page -->
The headers in `include/tycho/` are the manual: each begins with what it is for and how its parts go together, and each function says its
units, who owns what, and the statuses it returns. This page says where to look. Rules that hold everywhere:

- A definition struct starts from its `..._default()` function; a zeroed one is refused. `..._create()` checks it and returns a status.
- A call that can fail returns `ty_status` and leaves one sentence in the caller's `ty_diag` (may be NULL). The library never prints or exits.
- SI units and radians. Frames by letter ([frames.md](frames.md)): `v_W` is in W, `q_WB` takes vectors of B to W.
- Steps allocate nothing. Random numbers depend on seeds and counters alone. The same inputs give the same bits on any number of threads.

Install with `cmake --install build --prefix DIR`, then compile a program with
`cc user.c $(pkg-config --static --cflags --libs tycho)`, where `PKG_CONFIG_PATH` is `DIR/lib/pkgconfig`. Models are in the folder
that `pkg-config --variable=models tycho` prints. Every header compiles alone as C17 and as C++17.

| header | what it is |
|---|---|
TOP
for h in include/tycho/*.h include/tycho/tools/*.h; do
    # the first comment on one line, then up to the end of its first sentence
    text=$(sed -n '1,/\*\//p' "$h" | tr '\n' ' ' | sed -e 's@ \* @ @g' -e 's@^/\*  *include/tycho/[a-z_/]*\.h - @@' -e 's/  */ /g' -e 's/\([^.]\{12,\}\)\.\( .*\|$\)/\1/' -e 's@ SPDX.*@@' -e 's/ \*\/.*//')
    echo "| \`${h#include/}\` | $text |"
done
