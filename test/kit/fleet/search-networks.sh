#!/bin/bash
# First process of a network of its own (unshare --user --map-root-user --net) with two interfaces, of which the second has the default
# route: searches in the first one, and prints the packets that left through each. Nothing leaves the namespace: the other ends of both
# cables are in it.
set -e
for name in v0 v1; do
  ip link add $name type veth peer name $name-peer
  for each in $name $name-peer; do
    echo 1 > /proc/sys/net/ipv6/conf/$each/disable_ipv6
    ip link set $each up
  done
done
ip link set lo up
ip addr add 198.51.100.1/24 dev v0
ip addr add 203.0.113.1/24 dev v1
ip route add default via 203.0.113.254
node "$(dirname "$0")/search-network.ts" v0 198.51.100.0/28
awk '/v[01]:/ { print $1, $11 }' /proc/net/dev | sort
