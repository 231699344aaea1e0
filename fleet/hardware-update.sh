#!/bin/sh
# Demonstration of the program that updates the hardware of a machine (docs/architecture/hardware-update.md): a front
# panel and a capture card that exist in files only. Like in an image, the update belongs to another process than the
# one that the hub starts, and goes on when the hub is stopped.
#   make run HARDWARE_UPDATE=fleet/hardware-update.sh
# The state is in build/hardware-demo, or in the folder HARDWARE_DEMO; remove it to begin anew. Files there change what
# happens: `step` has the seconds of a step, `hold` a part of the state in which it waits, `interrupts` what the
# update of the capture card takes off air; with `fail` that update fails.
set -eu
program=$(readlink -f "$0")
folder=${HARDWARE_DEMO:-$(dirname "$program")/../build/hardware-demo}
mkdir -p "$folder"
cd "$folder"

read_file() { cat "$1" 2>/dev/null || echo "$2"; }

# Writes a file so that a reader finds the old or the new content.
write_file() { cat >"$1.new" && mv "$1.new" "$1"; }

print_components() {
  panel='"component":"front-panel","name":"Front panel"'
  card='"component":"capture-1","name":"Capture card 1"'
  if [ -e panel-updated ]; then echo "{$panel,\"version\":\"1.4\",\"needs-reboot\":true}"
  else echo "{$panel,\"version\":\"1.3\",\"offered\":\"1.4\"}"; fi
  if [ -e card-updated ]; then echo "{$card,\"version\":\"2.1.0\"}"
  else echo "{$card,\"version\":\"2.0.3\",\"offered\":\"2.1.0\",\"interrupts\":$(read_file interrupts '"all"')}"; fi
}

set_state() { echo "$1" | write_file state; }

pause() {
  sleep "$(read_file step 0.3)"
  while [ -e hold ] && [ ! -e cancelled ] && grep -qF "$(cat hold)" state; do sleep 0.05; done
  [ ! -e cancelled ] || { rm cancelled; set_state '{"state":0}'; exit 0; }
}

# The update itself. An image has a service for it.
work() {
  set_state '{"state":1}'
  pause
  for progress in 0 50; do set_state "{\"state\":4,\"progress\":$progress}"; pause; done
  for progress in 0 25; do set_state "{\"state\":2,\"component\":\"front-panel\",\"progress\":$progress}"; pause; done
  touch panel-updated
  set_state '{"state":2,"component":"capture-1","progress":50}'
  pause
  if [ -e fail ]; then set_state '{"state":-1,"error":"Capture card 1: verification failed at block 7"}'; exit 0; fi
  set_state '{"state":2,"component":"capture-1","progress":75}'
  pause
  touch card-updated
  set_state '{"state":3,"progress":100}'
}

is_running() { [ -e worker ] && kill -0 "$(cat worker)" 2>/dev/null; }

case ${1:-} in
status)
  state=$(read_file state '{"state":0}')
  case $state in
  # A worker that was killed leaves its last state behind, which is not true any more.
  *'"state":'[124]*) [ ! -e worker ] || is_running || state='{"state":-1,"error":"The update was interrupted"}' ;;
  esac
  print_components
  echo "$state"
  ;;
update)
  if ! is_running; then
    rm -f cancelled worker
    set_state '{"state":1}'
    setsid "$program" work </dev/null >/dev/null 2>&1 &
    echo $! >worker
  fi
  last=
  while :; do
    running=true
    is_running || running=false
    state=$(cat state)
    [ "$state" = "$last" ] || { print_components; echo "$state"; }
    last=$state
    $running || break
    sleep 0.05
  done
  case $last in *'"state":-1'*) exit 1 ;; esac
  ;;
cancel)
  case $(read_file state '{"state":0}') in
  *'"state":2'*) echo 'A component is being written' >&2; exit 1 ;;
  *'"state":-1'*) set_state '{"state":0}' ;;
  *) ! is_running || touch cancelled ;;
  esac
  ;;
work) work ;;
*) echo "usage: $0 status|update|cancel" >&2; exit 2 ;;
esac
