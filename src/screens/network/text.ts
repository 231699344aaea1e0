import type { InterfaceUse, NetworkInterface } from '../../../contract/machine/network.ts'
import type { Translation } from '../../text/language.ts'
import type { State } from '../../ui/state-label.tsx'

export const TEXT = {
  network: ['Network', '网络'],
  empty: ['No network interfaces', '没有网络接口'],
  status: ['Status', '状态'],
  usedBy: ['Used by', '使用者'],
  hiddenStreams: ['channels of other users', '其他用户的频道'],
  thisConsole: ['This page was opened over this interface.', '当前页面通过此接口打开。'],
  address: ['Address', '地址'],
  further: ['Further addresses', '其他地址'],
  furtherHint: ['Such as 192.168.2.7/24, separated by commas; at most 8', '例如 192.168.2.7/24，以逗号分隔，最多 8 个'],
  routes: ['Static routes', '静态路由'],
  routesHint: [
    'Such as 10.0.0.0/8 via 192.168.1.254, separated by commas; at most 16. The gateway is in a network of this interface.',
    '例如 10.0.0.0/8 via 192.168.1.254，以逗号分隔，最多 16 条。网关须位于此接口的网络中。'
  ],
  addressing: ['Addressing', '寻址方式'],
  dhcp: ['DHCP', 'DHCP'],
  manual: ['Manual', '手动'],
  useDhcp: ['Get the address by DHCP', '通过 DHCP 获取地址'],
  mask: ['Subnet mask', '子网掩码'],
  gateway: ['Gateway', '网关'],
  dns: ['DNS', 'DNS'],
  dns1: ['DNS 1', 'DNS 1'],
  dns2: ['DNS 2', 'DNS 2'],
  dnsHint: ['Empty: from DHCP', '留空则由 DHCP 提供'],
  ipv6: ['IPv6', 'IPv6'],
  automatic: ['Automatic', '自动'],
  off: ['Off', '关闭'],
  setElsewhere: ['Set outside this console', '在控制台之外设置'],
  ipv6Addresses: ['IPv6 addresses', 'IPv6 地址'],
  ipv6Further: ['Further IPv6 addresses', '其他 IPv6 地址'],
  ipv6AddressesHint: [
    'Such as 2001:db8::7/64, separated by commas; at most 8',
    '例如 2001:db8::7/64，以逗号分隔，最多 8 个'
  ],
  ipv6Gateway: ['IPv6 gateway', 'IPv6 网关'],
  ipv6Dns: ['IPv6 DNS', 'IPv6 DNS'],
  ipv6DnsHint: ['Empty: automatic', '留空则自动获取'],
  ipv6Routes: ['IPv6 static routes', 'IPv6 静态路由'],
  ipv6RoutesHint: [
    'Such as 2001:db8:9::/48 via fe80::1, separated by commas; at most 16',
    '例如 2001:db8:9::/48 via fe80::1，以逗号分隔，最多 16 条'
  ],
  mtu: ['MTU', 'MTU'],
  mtuHint: ['Bytes; 0 = default', '字节；0 表示默认'],
  mtuIpv6Hint: ['Bytes; 0 = default; IPv6 needs at least 1280', '字节；0 表示默认；IPv6 至少需要 1280'],
  mac: ['MAC address', 'MAC 地址'],
  speed: ['Speed', '速率'],
  usbSpeed: ['USB', 'USB'],
  fullSpeed: ['full speed', '全速'],
  highSpeed: ['high speed', '高速'],
  superSpeed: ['super speed', '超高速'],
  traffic: ['Traffic', '流量'],
  inOut: ['{0} in, {1} out', '接收 {0}，发送 {1}'],
  uses: ['Intended for', '用途'],
  name: ['Name', '名称'],
  vlan: ['VLAN {0} on {1}', '{1} 上的 VLAN {0}'],
  unmanaged: ['Managed by another program of the machine', '由机器上的其他程序管理'],
  wifiNetwork: ['Wi-Fi network', 'Wi-Fi 网络'],
  hotspotOf: ['{0} (hotspot)', '{0}（热点）'],
  edit: ['Edit {0}', '编辑 {0}'],
  addVlan: ['Add VLAN', '添加 VLAN'],
  vlanParent: ['Interface', '接口'],
  vlanId: ['VLAN ID', 'VLAN ID'],
  removeVlan: ['Remove {0}', '移除 {0}'],
  removeText: ['Its address is no longer reachable.', '其地址将无法访问。'],
  wifi: ['Wi-Fi', 'Wi-Fi'],
  wifiOf: ['Wi-Fi of {0}', '{0} 的 Wi-Fi'],
  join: ['Join', '加入'],
  scanning: ['Looking for networks', '正在搜索网络'],
  noNetworks: ['No network in range', '范围内没有网络'],
  choose: ['Network in range', '范围内的网络'],
  other: ['Other network', '其他网络'],
  ssid: ['Network name', '网络名称'],
  security: ['Security', '安全性'],
  open: ['Open, not encrypted', '开放，未加密'],
  password: ['Password', '密码'],
  hidden: ['Hidden network', '隐藏网络'],
  hotspot: ['Provide this network (hotspot)', '提供此网络（热点）'],
  hotspotHint: [
    'Clients get their addresses from this machine, and its connection.',
    '客户端从此机器获得地址，并使用其网络连接。'
  ],
  safe: [
    'The change is undone after 60 s unless you confirm it at the new address.',
    '除非您在新地址确认，否则更改将在 60 秒后撤销。'
  ],
  applying: ['Changing {0}', '正在更改 {0}'],
  applyingText: [
    'The connection to the hub may be lost for a moment. Without a confirmation, the previous settings return in {0} s.',
    '与中控的连接可能会短暂中断。如不确认，将在 {0} 秒后恢复之前的设置。'
  ],
  following: [
    'This page opens {0} by itself as soon as the hub answers there.',
    '中控在 {0} 响应后，本页面将自动打开该地址。'
  ],
  openNew: ['Open {0}', '打开 {0}'],
  newByDhcp: [
    'The network assigns the new address. If this page does not continue, open the console at the new address.',
    '新地址由网络分配。如果本页面没有继续，请在新地址打开控制台。'
  ],
  timeServer: ['Time server', '时间服务器'],
  asking: ['Asking', '正在查询'],
  answers: ['Answers', '有响应'],
  silent: ['No answer', '无响应'],
  gatewaySilent: [
    'No machine answers at the gateway {0}. Without it, other networks cannot be reached.',
    '网关 {0} 没有响应。没有网关将无法访问其他网络。'
  ],
  connectivity: ['Connectivity', '连通性'],
  pingTarget: ['Host', '主机'],
  pingHint: ['Name or IP address. The hub sends four pings.', '名称或 IP 地址。中控将发送四次 ping。'],
  ping: ['Ping', 'Ping'],
  pingReceived: ['{0}: {1} of {2} answers, {3} ms on average', '{0}：收到 {1}/{2} 个响应，平均 {3} 毫秒'],
  pingNone: ['{0}: no answer to {1} pings', '{0}：{1} 次 ping 均无响应'],
  pingNoRoute: ['{0}: no route to this host', '{0}：没有到该主机的路由'],
  firewall: ['Firewall', '防火墙']
} as const satisfies Record<string, Translation>

/** The states of an interface. */
export const STATES: Readonly<Record<NetworkInterface['status'], State>> = {
  down: ['off', ['Turned off', '已关闭']],
  disconnected: ['off', ['Disconnected', '未连接']],
  connecting: ['warn', ['Connecting', '正在连接']],
  connected: ['good', ['Connected', '已连接']],
  locked: ['good', ['Connected, in use', '已连接，使用中']]
}

export const USES: Readonly<Record<InterfaceUse, Translation>> = {
  console: ['Console', '控制台'],
  devices: ['Devices', '设备'],
  ndi: ['NDI', 'NDI']
}
