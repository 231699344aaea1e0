#!/usr/bin/env bash
# Builds the C programs that the engine runs, in build/: headend-relay (copies a stream to its receivers), headend-recorder (writes it to
# disk), headend-srt (SRT), headend-ndi (NDI), headend-watchdog (replaces an engine that hangs) and headend-hide-args.so (hides arguments of
# ffmpeg from the process list).
# Without a compiler or libsrt the affected programs are not built, and the engine reports what is missing. `make/native.sh --sanitized`
# builds relay, recorder and SRT port in build/sanitized/ for tests: they end with a message when they touch memory that is not theirs, or
# compute what C leaves undefined. `make/native.sh --for ARCH` builds all of them for another processor, in build/ARCH/, with the sysroot of make/sysroot.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build compiler=(cc) sysroot=
if [ "${1:-}" = --for ]; then
  build=build/$2 sysroot=build/sysroot/$2
  compiler=("$(dpkg-architecture -A "$2" -q DEB_TARGET_GNU_TYPE)-gcc" "--sysroot=$sysroot")
fi
mkdir -p "$build" build/sanitized
command -v "${compiler[0]}" >/dev/null || exit 0

# Bounds of the C library's copies, canaries on the stack, and tables of the linker that are read-only before main runs.
hardened=(-O2 -D_FORTIFY_SOURCE=3 -fstack-protector-strong -Wl,-z,relro,-z,now)

sanitizing=(-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
relay=(engine/native/messages/*.c engine/native/relay/{,stream/}*.c)
recorder=(engine/native/messages/*.c engine/native/recorder/*.c -lpthread)
# The sign = stands for the sysroot.
srt=(-I=/usr/include/srt engine/native/messages/*.c engine/native/srt/*.c -lsrt-gnutls -lpthread)

# compile NAME CC_ARGUMENT...: compiles NAME. Compiles to a temporary file and renames it, so that a running hub keeps its version.
compile() {
  local target=$build/$1 options=("${hardened[@]}" -fPIE -pie)
  [[ $1 != *.so ]] || options=("${hardened[@]}" -fPIC -shared)
  [[ $1 != sanitized/* ]] || options=("${sanitizing[@]}")
  shift
  "${compiler[@]}" -std=gnu11 -Wall -Wextra -Werror "${options[@]}" -o "$target.$$" "$@"
  mv "$target.$$" "$target"
}

if [ "${1:-}" = --sanitized ]; then
  compile sanitized/headend-relay "${relay[@]}"
  compile sanitized/headend-recorder "${recorder[@]}"
  compile sanitized/headend-srt "${srt[@]}"
  exit 0
fi

compile headend-hide-args.so engine/native/hide-args/*.c -ldl -lpthread
compile headend-relay "${relay[@]}"
compile headend-watchdog engine/native/watchdog/*.c
compile headend-recorder "${recorder[@]}"
# Does not need the NDI runtime, which must not be shipped: headend-ndi loads it at run time from the path that the engine passes.
# It exports its functions, so that the runtime's socket calls pass through socket-counters.c.
compile headend-ndi -rdynamic engine/native/messages/*.c engine/native/ndi/*.c -ldl -lm -lpthread
if [ -e $sysroot/usr/include/srt/srt.h ]; then
  compile headend-srt "${srt[@]}"
fi
