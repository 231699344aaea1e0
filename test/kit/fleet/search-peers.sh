#!/bin/bash
# First process of a network of its own (unshare --user --map-root-user --net) with one interface, whose cable leads to a
# further network with the machines of search-peers.ts: searches there, and prints what was found, and what the machines
# have counted. With the argument `blocked`, all ports of this machine are closed in its firewall.
set -e
here=$(dirname "$0")
if [ "$1" = peers ]; then
  echo made
  read -r _
  ip link set lo up
  ip link set p0 up
  for host in 11 12 13; do ip addr add 198.51.100.$host/24 dev p0; done
  exec node "$here/search-peers.ts"
fi
ip link set lo up
ip link add v0 type veth peer name p0
coproc PEERS { exec unshare --net "$0" peers; }
pid=$PEERS_PID
read -r _ <&"${PEERS[0]}"
ip link set p0 netns "$pid"
ip addr add 198.51.100.1/24 dev v0
ip link set v0 up
echo >&"${PEERS[1]}"
read -r _ <&"${PEERS[0]}"
node "$here/search-network.ts" v0 '' "$1"
exec {PEERS[1]}>&-
cat <&"${PEERS[0]}"
