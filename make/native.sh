#!/usr/bin/env bash
# Builds what the hub runs beside itself: build/headend-srt, the SRT port; build/headend-ndi, the NDI legs; build/headend-hide-args.so, which keeps
# addresses out of the list of processes. Without a compiler or libsrt the hub works without them and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
command -v cc >/dev/null || exit 0

# compile <what in build/> <word of cc>...: written beside and moved, so that a hub that runs keeps what it has.
compile() {
  local made=build/$1
  shift
  cc -std=gnu11 -O2 -Wall -Wextra -Werror -o "$made.new" "$@"
  mv "$made.new" "$made"
}

compile headend-hide-args.so -shared -fPIC engine/native/hide-args/*.c -ldl
# The NDI runtime is not free to ship, and not needed here: what is built loads it where the hub finds it.
compile headend-ndi engine/native/events/*.c engine/native/ndi/*.c -ldl -lm -lpthread
if [ -e /usr/include/srt/srt.h ]; then
  compile headend-srt -I/usr/include/srt engine/native/events/*.c engine/native/srt/*.c -lsrt-gnutls -lpthread
fi
