#!/usr/bin/env bash
# Builds the fuzz targets of the C programs in build/fuzz/: one for each parser, with libFuzzer and sanitizers. The targets are
# test/engine/native/fuzz/<name>.c.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/fuzz
native=engine/native
targets=test/engine/native/fuzz

# compile NAME SOURCE...: compiles build/fuzz/NAME, of its target and the sources.
compile() {
  local target=build/fuzz/$1
  clang -std=gnu11 -O1 -g -Wall -Wextra -Werror -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined,float-cast-overflow \
    -fno-sanitize-recover=all -I"$native" -I/usr/include/srt -o "$target.$$" "$targets/$1.c" "${@:2}" -lm -lpthread
  mv "$target.$$" "$target"
}

relay=$native/relay
stream=("$relay"/stream/*.c "$relay/receiver.c" "$targets/receivers.c")
compile mpeg-ts "${stream[@]}" "$relay/rtp-receiver.c" &
compile rtp "${stream[@]}" "$relay/rtp-receiver.c" &
compile stream-id "$native"/{messages/line-reader,srt/addresses,srt/keys,srt/blocklist}.c &
compile commands "$native"/messages/*.c "$native"/{relay/commands,srt/port-commands,srt/addresses,srt/keys,srt/blocklist,ndi/route}.c &
compile host-names &
compile matroska "$native"/messages/events.c "$native"/ndi/{matroska,send}.c &
compile hand-over "${stream[@]}" "$relay"/{datagram-address,datagram-sender,greeting,hand-over,loop,media-socket,report,rtp-receiver,source,subscriber,target}.c &
failed=0
for job in $(jobs -p); do wait "$job" || failed=1; done
exit $failed
