#!/bin/bash
# First process of a machine for tests: in private namespaces for network, mounts, host name and processes, it makes the machine's
# own /run, /etc files and /sys, a network interface eth0, and beside it a second network namespace 'lan' with the other end of the
# cable. Starts the services named in its arguments, prints READY, and waits. The namespaces end with this process.
# Run by machine.ts: unshare --net --mount --uts --pid --fork --kill-child --mount-proc bash namespace.sh PROJECT SERVICE...
set -e
project=$1
shift
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/dbus /run/NetworkManager /run/netns /run/headend/data
hostname headend-test

# Services must not see or write the files of the machine that runs the tests.
for folder in /etc/NetworkManager /var/lib/NetworkManager /etc/chrony /var/lib/chrony /etc/polkit-1/rules.d; do
  [ ! -d "$folder" ] || mount -t tmpfs -o mode=755 tmpfs "$folder"
done
replace() {
  cat > "/run/file-$(basename "$1")"
  mount --bind "/run/file-$(basename "$1")" "$1"
}
echo '# private' | replace /etc/resolv.conf
{ grep -v '^headend:' /etc/passwd; echo 'headend:x:62001:62001::/nonexistent:/usr/sbin/nologin'; } | replace /etc/passwd
{ grep -v '^headend:' /etc/group | sed 's/^_chrony:.*:$/&headend/'; echo 'headend:x:62001:'; } | replace /etc/group
[ ! -d /etc/polkit-1/rules.d ] || cp "$project"/deploy/polkit/*.rules /etc/polkit-1/rules.d/
# The project at a path that the user of the hub can reach, wherever it is on the machine that runs the tests.
mkdir -p /run/project && mount --bind "$project" /run/project
chown -R 62001:62001 /run/headend

# No udev here: a read-only /sys tells NetworkManager so.
mount -t sysfs -o ro sysfs /sys
ip link set lo up
ip netns add lan
ip link add eth0 type veth peer name peer0 netns lan
ip netns exec lan ip link set lo up
ip netns exec lan ip link set peer0 up
ip netns exec lan ip addr add 198.51.100.1/24 dev peer0

await() {
  for _ in $(seq 100); do
    "$@" > /dev/null 2>&1 && return 0
    sleep 0.1
  done
  echo "Not ready: $*" >&2
  return 1
}
has_owner() {
  dbus-send --system --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus org.freedesktop.DBus.NameHasOwner "string:$1" | grep -q true
}

for service in "$@"; do
  case $service in
    dbus)
      dbus-daemon --system --fork
      await has_owner org.freedesktop.DBus
      ;;
    polkit)
      /usr/lib/polkit-1/polkitd --no-debug > /run/polkit.log 2>&1 &
      await has_owner org.freedesktop.PolicyKit1
      ;;
    network-manager)
      # Without dns=none it would write resolv.conf. A test may place connections in system-connections before it starts the service.
      [ -e /etc/NetworkManager/NetworkManager.conf ] || printf '[main]\nplugins=keyfile\ndns=none\nno-auto-default=*\n' > /etc/NetworkManager/NetworkManager.conf
      mkdir -p /etc/NetworkManager/system-connections
      NetworkManager --no-daemon > /run/network-manager.log 2>&1 &
      await nmcli general
      ;;
    chrony)
      # As docs/architecture/time.md says. With -x chronyd never touches the clock, which all namespaces share.
      install -D "$project/deploy/chrony/headend.conf" /etc/chrony/conf.d/headend.conf
      install -d -m 2775 -g headend "$(awk '/^d/ { print $2 }' "$project/deploy/chrony/tmpfiles.conf")"
      echo 'confdir /etc/chrony/conf.d' > /etc/chrony/chrony.conf
      setting() { sed -n "s/^$1=//p" "$project/deploy/chrony/chrony.service.conf"; }
      install -d -o _chrony -g _chrony -m "$(setting RuntimeDirectoryMode)" /run/chrony
      (umask "$(setting UMask)"; exec chronyd -x)
      ;;
    time-server)
      # Another chronyd, which is the time server 127.0.0.2.
      mkdir -p /run/time-server
      printf '%s\n' 'local stratum 5' 'allow 127.0.0.0/8' 'bindaddress 127.0.0.2' 'cmdport 0' 'pidfile /run/time-server/pid' \
        'bindcmdaddress /run/time-server/socket' > /run/time-server/chrony.conf
      chronyd -x -f /run/time-server/chrony.conf
      ;;
    *) echo "Unknown service $service" >&2; exit 1 ;;
  esac
done
echo READY
exec sleep infinity
