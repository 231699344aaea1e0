#!/usr/bin/env bash
# One machine of machines.ts, in network, mount and UTS namespaces of its own: `machine.sh FOLDER HOST ADDRESS`. Writes a line after each
# step to stdout. Ends all processes of the machine when stdin closes.
set -euo pipefail
folder=$1 host=$2 address=$3

end_machine() {
  local own pid
  own=$(readlink /proc/self/ns/net)
  [ "$own" != "$(readlink "/proc/$PPID/ns/net")" ] || return 0
  for pid in /proc/[0-9]*; do
    pid=${pid#/proc/}
    [ "$pid" = $$ ] || [ "$(readlink "/proc/$pid/ns/net" 2>/dev/null)" != "$own" ] || kill -9 "$pid" 2>/dev/null || true
  done
}
trap end_machine EXIT

# wait_for FILE: waits at most a minute until a program listens at a socket. The file exists a little before.
wait_for() {
  for _ in {1..3000}; do
    ! grep -q " 00010000 .* $1\$" /proc/net/unix || return 0
    sleep 0.02
  done
  echo "$1 is missing" >&2
  return 1
}
trap '' HUP INT

mount -t tmpfs tmpfs /run
mkdir /run/dbus /run/avahi-daemon
# Names are resolved by multicast DNS alone.
resolver=$(readlink -m /etc/resolv.conf)
mkdir -p "$(dirname "$resolver")"
[ -e "$resolver" ] || : > "$resolver"
: > "$folder/$host.resolv.conf"
mount --bind "$folder/$host.resolv.conf" "$resolver"
hostname "$host"
ip link set lo up
ip link set lo multicast on
echo ready

# machines.ts now connects the machine.
read -r _
ip link set v0 up
# Multicast needs a route.
case $address in
  *:*)
    use_ipv4=no use_ipv6=yes
    ip -4 address flush dev lo
    ip address add "$address/64" dev v0 nodad
    ip -6 route add default dev v0
    ;;
  *)
    use_ipv4=yes use_ipv6=no
    ip address add "$address/24" dev v0
    ip route add default dev v0
    ;;
esac
cat > "$folder/$host.avahi.conf" <<END
[server]
use-ipv4=$use_ipv4
use-ipv6=$use_ipv6
allow-interfaces=v0,lo
[wide-area]
enable-wide-area=no
END
dbus-daemon --system --nofork --nopidfile <&- >/dev/null 2>"$folder/$host.dbus.log" &
disown
wait_for /run/dbus/system_bus_socket
avahi-daemon --no-drop-root --no-chroot --no-rlimits -f "$folder/$host.avahi.conf" <&- >/dev/null 2>"$folder/$host.avahi.log" &
disown
wait_for /run/avahi-daemon/socket
echo up
cat >/dev/null
