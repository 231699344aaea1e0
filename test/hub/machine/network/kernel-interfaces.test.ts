import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import {
  parseGateways,
  parseIpv6Gateways,
  parseIpv6NameServers,
  parseNameServers,
  readKernelInterfaces
} from '../../../../hub/machine/network/kernel-interfaces.ts'

const test = suite('interfaces of the kernel')

const root = mkdtempSync(join(tmpdir(), 'headend-kernel-'))
test.after(() => rmSync(root, { recursive: true }))

function write(files: Readonly<Record<string, string | number>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${text}\n`)
  }
}

function addInterface(iface: string, files: Readonly<Record<string, string | number>>): void {
  const all = { type: 1, flags: '0x1003', carrier: 1, mtu: 1500, address: '02:00:00:00:00:01', uevent: '', ...files }
  write(Object.fromEntries(Object.entries(all).map(([name, text]) => [`sys/class/net/${iface}/${name}`, text])))
}

const ipv4 = (address: string, netmask = '255.255.255.0') =>
  [{ address, netmask, family: 'IPv4', internal: false }] as NetworkInterfaceInfo[]

const ipv6 = (...cidrs: string[]) =>
  cidrs.map((cidr) => ({
    address: cidr.split('/')[0],
    cidr,
    family: 'IPv6',
    internal: false
  })) as NetworkInterfaceInfo[]

/** A line of /proc/net/ipv6_route. */
const ipv6Route = (to: string, bits: string, via: string, metric: number, iface: string) =>
  `${to} ${bits} ${'0'.repeat(32)} 00 ${via} ${metric.toString(16).padStart(8, '0')} 00000001 00000000 00000003     ${iface}`
const ANY = '0'.repeat(32)
const ROUTER = `fe80${'0'.repeat(27)}1`

const HEADER = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask'

test.before(() => {
  addInterface('lo', { type: 772 })
  addInterface('eth0', { speed: 2500, 'statistics/rx_bytes': 10, 'statistics/tx_bytes': 20 })
  addInterface('eth1', { flags: '0x1002', speed: -1 })
  addInterface('eth2', { carrier: 0 })
  addInterface('eth3', {})
  addInterface('wlan0', { uevent: 'DEVTYPE=wlan\nINTERFACE=wlan0' })
  addInterface('eth0.20', { uevent: 'DEVTYPE=vlan' })
  addInterface('docker0', { uevent: 'DEVTYPE=bridge' })
  addInterface('veth12', {})
  addInterface('br0', { uevent: 'DEVTYPE=bridge' })
  addInterface('tun0', { type: 65534 })
  addInterface('usb0', {})
  // A USB adapter: the device of the interface is an interface of the USB device, whose folder has the speed of the
  // bus.
  write({ 'sys/devices/usb1/1-2/busnum': 1, 'sys/devices/usb1/1-2/speed': 480, 'sys/devices/usb1/1-2/1-2:1.0/x': '' })
  mkdirSync(join(root, 'sys/bus/usb'), { recursive: true })
  symlinkSync(join(root, 'sys/bus/usb'), join(root, 'sys/devices/usb1/1-2/1-2:1.0/subsystem'))
  symlinkSync(join(root, 'sys/devices/usb1/1-2/1-2:1.0'), join(root, 'sys/class/net/usb0/device'))
  write({
    'proc/net/route': `${HEADER}\neth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\neth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF`,
    'proc/net/ipv6_route': ipv6Route(ANY, '00', ROUTER, 1024, 'eth0'),
    'proc/net/vlan/eth0.20': 'eth0.20  VID: 20\t REORDER_HDR: 1\nDevice: eth0',
    'etc/resolv.conf':
      '# comment\nnameserver 192.168.1.1\nnameserver 2001:db8::53\nnameserver 9.9.9.9\nnameserver fe80::53%eth0'
  })
})

function readAll() {
  const addresses = {
    eth0: [...ipv4('192.168.1.7'), ...ipv6('fe80::7/64', '2001:db8::7/64')],
    wlan0: ipv6('fe80::8/64', 'fd00::8/64'),
    usb0: ipv6('fe80::9/64'),
    'eth0.20': ipv4('10.0.20.7', '255.255.0.0')
  }
  const folders = { sys: join(root, 'sys'), proc: join(root, 'proc'), etc: join(root, 'etc') }
  return new Map(readKernelInterfaces(addresses, folders).map((each) => [each.iface, each]))
}

test('Ethernet, Wi-Fi, USB and VLAN interfaces are listed, and no loopback, bridges, tunnels and containers', () => {
  const kinds = [...readAll().values()].map(({ iface, kind }) => `${iface} ${kind}`)
  assert.deepEqual(kinds, [
    'eth0 ethernet',
    'eth0.20 vlan',
    'eth1 ethernet',
    'eth2 ethernet',
    'eth3 ethernet',
    'usb0 usb',
    'wlan0 wifi'
  ])
})

test('an interface has its address, default gateway, name servers, speed and counters', () => {
  assert.deepEqual(readAll().get('eth0'), {
    iface: 'eth0',
    kind: 'ethernet',
    ipaddr: '192.168.1.7',
    netmask: '255.255.255.0',
    gateway: '192.168.1.1',
    dns1: '192.168.1.1',
    dns2: '9.9.9.9',
    'ipv6-addresses': ['2001:db8::7/64', 'fe80::7/64'],
    'ipv6-gateway': 'fe80::1',
    'ipv6-dns': ['2001:db8::53', 'fe80::53%eth0'],
    mtu: 1500,
    mac: '02:00:00:00:00:01',
    link: 3,
    speed: 2500,
    'rx-bytes': 10,
    'tx-bytes': 20
  })
})

test('a VLAN names its parent and its ID, and without a default route it has no gateway and no name servers', () => {
  const { parent, 'vlan-id': id, gateway, dns1, netmask } = readAll().get('eth0.20') ?? {}
  assert.deepEqual([parent, id, gateway, dns1, netmask], ['eth0', 20, '', '', '255.255.0.0'])
})

test('the link is down, disconnected, or connecting while there is no address but a link-local one', () => {
  const all = readAll()
  assert.deepEqual(
    ['eth1', 'eth2', 'eth3', 'eth0', 'usb0', 'wlan0'].map((iface) => all.get(iface)?.link),
    [0, 1, 2, 3, 2, 3]
  )
  assert.equal(all.get('eth1')?.speed, undefined)
})

test('a USB network has the speed of its bus', () => {
  assert.equal(readAll().get('usb0')?.['usb-speed'], 480)
})

test('of two default routes of an interface the one with the lower metric counts', () => {
  const line = (gateway: string, metric: number) => `eth0\t00000000\t${gateway}\t0003\t0\t0\t${metric}\t00000000`
  const routes = [HEADER, line('0201A8C0', 50), line('0101A8C0', 100)].join('\n')
  assert.equal(parseGateways(routes).get('eth0'), '192.168.1.2')
})

test('a default route without a gateway, and IPv6 name servers, are left out', () => {
  assert.equal(parseGateways(`${HEADER}\nppp0\t00000000\t00000000\t0001\t0\t0\t0\t00000000`).size, 0)
  assert.deepEqual(parseIpv6NameServers('nameserver ::1\nnameserver x:y\nnameserver 1.1.1.1'), ['::1'])
  assert.deepEqual(parseNameServers('nameserver ::1\noptions edns0\nnameserver 1.1.1.1'), ['1.1.1.1'])
})

test('the IPv6 gateway is that of the default route with the lowest metric', () => {
  const other = `fe80${'0'.repeat(27)}2`
  const routes = [
    ipv6Route(ANY, '00', other, 1025, 'eth0'),
    ipv6Route(ANY, '00', ROUTER, 1024, 'eth0'),
    ipv6Route(`20010db8${'0'.repeat(24)}`, '40', other, 1, 'eth0'),
    ipv6Route(ANY, '00', ANY, 4294967295, 'lo')
  ].join('\n')
  assert.deepEqual([...parseIpv6Gateways(routes)], [['eth0', 'fe80::1']])
})

test.run()
