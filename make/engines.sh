#!/usr/bin/env bash
# Builds what the hub runs beside itself: build/headend-srt, the SRT port. Without a compiler or libsrt the hub works without it and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
if command -v cc >/dev/null && [ -e /usr/include/srt/srt.h ]; then
  # Written beside and moved: a hub that runs keeps what it has.
  cc -std=gnu11 -O2 -Wall -Wextra -Werror -I/usr/include/srt engines/srt/*.c -o build/headend-srt.new -lsrt-gnutls -lpthread
  mv build/headend-srt.new build/headend-srt
fi
