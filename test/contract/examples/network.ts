// Valid requests of the calls for the network, the name and the firewall of the machine.

import { FIREWALL_RULES_MAX } from '../../../contract/limits.ts'
import { confirmFirewall, getFirewall, setFirewall } from '../../../contract/machine/firewall/firewall.ts'
import { setDeviceName } from '../../../contract/machine/name.ts'
import { confirmNetwork, joinWifi, listNetwork, scanWifi, setNetwork } from '../../../contract/machine/network.ts'
import { getTime, setTime } from '../../../contract/machine/time.ts'
import { examples } from './examples.ts'

examples(setDeviceName, { name: 'A' }, { name: 'x'.repeat(64) })
examples(getTime, {})
examples(
  setTime,
  { zone: 'Asia/Shanghai' },
  { sync: false },
  { sync: true, server1: 'ntp.example', server2: '192.0.2.9' },
  { time: 1_800_000_000_000 }
)
examples(listNetwork, {})
examples(confirmNetwork, {}, { keep: false })
examples(scanWifi, { iface: 'wlan0' })
examples(
  joinWifi,
  { iface: 'wlan0', ssid: 'Studio', security: 'open', password: '' },
  {
    iface: 'wlan0',
    ssid: 'x'.repeat(32),
    security: 'wpa3',
    password: 'x'.repeat(63),
    hidden: true,
    hotspot: true,
    force: true
  }
)
examples(
  setNetwork,
  { iface: 'eth0' },
  {
    iface: 'eth0.20',
    label: 'x'.repeat(32),
    uses: ['console', 'devices', 'ndi'],
    'use-dhcp': false,
    ipaddr: '192.168.1.7',
    netmask: '255.255.255.0',
    gateway: '192.168.1.1',
    dns1: '9.9.9.9',
    dns2: '1.1.1.1',
    mtu: 9216,
    parent: 'eth0',
    'vlan-id': 4094,
    force: true
  },
  { iface: 'eth0', mtu: 1400 },
  { iface: 'eth0.20', remove: true }
)

examples(getFirewall, {})
examples(confirmFirewall, {}, { keep: false })
examples(
  setFirewall,
  { mode: 0, rules: [] },
  {
    mode: -1,
    rules: Array.from({ length: FIREWALL_RULES_MAX }, (_, index) => ({
      port: `${index + 1}-65535`,
      protocol: 2 as const,
      remark: 'x'.repeat(64),
      enable: true
    })),
    force: true,
    revision: 'kJ3-0q_XbT9wLr2Z'
  },
  { mode: 1, rules: [{ port: '1', protocol: 0, remark: '', enable: false }] }
)
