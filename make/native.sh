#!/usr/bin/env bash
# Builds the C programs that the engine runs, in build/: headend-relay (copies a stream to its receivers), headend-srt (SRT), headend-ndi
# (NDI) and headend-hide-args.so (hides arguments of ffmpeg from the process list). Without a compiler or libsrt the affected programs are
# not built, and the engine reports what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
command -v cc >/dev/null || exit 0

# Bounds of the C library's copies, canaries on the stack, and tables of the linker that are read-only before main runs.
hardened=(-O2 -D_FORTIFY_SOURCE=3 -fstack-protector-strong -Wl,-z,relro,-z,now)

# compile NAME CC_ARGUMENT...: compiles build/NAME. Compiles to a temporary file and renames it, so that a running hub keeps its version.
compile() {
  local target=build/$1 position=(-fPIE -pie)
  [[ $1 != *.so ]] || position=(-fPIC -shared)
  shift
  cc -std=gnu11 -Wall -Wextra -Werror "${hardened[@]}" "${position[@]}" -o "$target.new" "$@"
  mv "$target.new" "$target"
}

compile headend-hide-args.so engine/native/hide-args/*.c -ldl -lpthread
compile headend-relay engine/native/messages/*.c engine/native/relay/{,stream/}*.c
# Does not need the NDI runtime, which must not be shipped: headend-ndi loads it at run time from the path that the engine passes.
# It exports its functions, so that the runtime's socket calls pass through socket-counters.c.
compile headend-ndi -rdynamic engine/native/messages/*.c engine/native/ndi/*.c -ldl -lm -lpthread
if [ -e /usr/include/srt/srt.h ]; then
  compile headend-srt -I/usr/include/srt engine/native/messages/*.c engine/native/srt/*.c -lsrt-gnutls -lpthread
fi
