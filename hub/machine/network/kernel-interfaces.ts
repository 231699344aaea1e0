// Network interfaces as the kernel has them: from /sys, /proc and the addresses of the process. Reading needs no rights
// and no service.
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type InterfaceKind, LINK_STATE, type NetworkInterface } from '../../../contract/machine/network.ts'
import { addressOfBytes, isLinkLocalText, orderAddresses } from './ipv6-settings.ts'

/** ARP hardware type of Ethernet, which Wi-Fi, VLANs and USB networks also have. */
const ETHERNET_TYPE = 1
/** Flag of an interface that is switched on (IFF_UP). */
const FLAG_UP = 1
/** Interfaces of containers and virtual machines. */
const VIRTUAL = /^(veth|docker|br-|virbr|vnet|tap|cni|flannel)/

/** An interface without the fields that need other interfaces, the clock, or the hub. */
export type KernelInterface = Omit<
  NetworkInterface,
  'status' | 'rx' | 'tx' | 'is-console' | 'label' | 'uses' | 'used-by' | 'hidden-streams'
>

/** Where the kernel's files are; other folders in tests. */
interface KernelFolders {
  sys: string
  proc: string
  etc: string
}

const FOLDERS: KernelFolders = { sys: '/sys', proc: '/proc', etc: '/etc' }

/**
 * Text of a file without the line break at its end; undefined if the file is missing or the interface does not provide
 * it.
 */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

function readNumber(path: string): number | undefined {
  const value = Number(readText(path) || Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

function resolvePath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Speed of the USB bus in Mbps, from the nearest parent folder of the device that has one. */
function usbSpeed(device: string): number | undefined {
  for (let folder = device; folder.length > 1; folder = dirname(folder)) {
    const speed = listFolder(folder).includes('busnum') ? readNumber(join(folder, 'speed')) : undefined
    if (speed) return speed
  }
  return undefined
}

/** The kind of an interface; undefined for those that are not shown, such as bridges and tunnels. */
function kindOf(folder: string): InterfaceKind | undefined {
  const type = /^DEVTYPE=(.*)$/m.exec(readText(join(folder, 'uevent')) ?? '')?.[1]
  if (type === 'wlan') return 'wifi'
  if (type === 'vlan') return 'vlan'
  if (type !== undefined && type !== 'gadget') return undefined
  const bus = resolvePath(join(folder, 'device/subsystem'))
  return type === 'gadget' || (bus && basename(bus) === 'usb') ? 'usb' : 'ethernet'
}

/**
 * Default gateways by interface, from the lines of /proc/net/route: addresses are hexadecimal in the order of the
 * machine's bytes.
 */
export function parseGateways(routes: string): Map<string, string> {
  const lines = routes
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, destination, gateway = '']) => destination === '00000000' && /^(?!0{8})[\dA-F]{8}$/i.test(gateway))
    .sort((a, b) => Number(b[6]) - Number(a[6]))
  return new Map(lines.map(([iface = '', , gateway = '']) => [iface, dottedAddress(gateway)]))
}

function dottedAddress(hex: string): string {
  const bytes = Buffer.from(hex, 'hex')
  return [...bytes.reverse()].join('.')
}

/**
 * Default IPv6 gateways by interface, from the lines of /proc/net/ipv6_route: destination, length of its prefix,
 * source, length of its prefix, next hop, metric, two counters, flags, interface.
 */
export function parseIpv6Gateways(routes: string): Map<string, string> {
  const lines = routes
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([to = '', bits, , , via = '']) => /^0{32}$/.test(to) && bits === '00' && /^(?!0{32})[\da-f]{32}$/i.test(via)
    )
    .sort((a, b) => Number.parseInt(b[5] ?? '', 16) - Number.parseInt(a[5] ?? '', 16))
  return new Map(
    lines.map(([, , , , via = '', , , , , iface = '']) => [iface, addressOfBytes(Buffer.from(via, 'hex'))])
  )
}

/** IPv4 name servers of a resolv.conf. */
export function parseNameServers(text: string): string[] {
  return [...text.matchAll(/^\s*nameserver\s+(\d+\.\d+\.\d+\.\d+)\s*$/gm)].map(([, address = '']) => address)
}

/** IPv6 name servers of a resolv.conf. A link-local one has its interface after a percent sign. */
export function parseIpv6NameServers(text: string): string[] {
  const servers = [...text.matchAll(/^\s*nameserver\s+(\S*:\S*)\s*$/gm)].map(([, address = '']) => address)
  return servers.filter((address) => isIPv6(address))
}

/** The name servers of the machine. Those behind the local stub of systemd-resolved, if it is in use. */
function readNameServers({ etc }: KernelFolders): { ipv4: string[]; ipv6: string[] } {
  const own = readText(join(etc, 'resolv.conf')) ?? ''
  const isStub = parseNameServers(own).includes('127.0.0.53')
  const text = isStub ? (readText('/run/systemd/resolve/resolv.conf') ?? '') : own
  return { ipv4: parseNameServers(text), ipv6: parseIpv6NameServers(text) }
}

/** Interface and ID of a VLAN, from /proc/net/vlan. */
function vlanOf({ proc, sys }: KernelFolders, iface: string): Pick<NetworkInterface, 'parent' | 'vlan-id'> {
  const text = readText(join(proc, 'net/vlan', iface)) ?? ''
  const id = Number(/VID: (\d+)/.exec(text)?.[1])
  // The folder of a VLAN has a link to its parent, also where /proc/net/vlan is missing.
  const link = listFolder(join(sys, 'class/net', iface)).find((name) => name.startsWith('lower_'))
  const parent = link?.slice('lower_'.length) ?? /^Device: (\S+)/m.exec(text)?.[1]
  return { ...(parent && { parent }), ...(id > 0 && { 'vlan-id': id }) }
}

function linkOf(folder: string, hasAddress: boolean): number {
  const flags = Number(readText(join(folder, 'flags')) ?? 0)
  if (!(flags & FLAG_UP)) return LINK_STATE.down
  if (readNumber(join(folder, 'carrier')) !== 1) return LINK_STATE.disconnected
  return hasAddress ? LINK_STATE.connected : LINK_STATE.connecting
}

function isShown(folder: string, iface: string): boolean {
  if (iface === 'lo' || VIRTUAL.test(iface)) return false
  return readNumber(join(folder, 'type')) === ETHERNET_TYPE && kindOf(folder) !== undefined
}

/** All Ethernet, Wi-Fi, USB and VLAN interfaces, by name. */
export function readKernelInterfaces(
  addresses: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
  folders = FOLDERS
): KernelInterface[] {
  const gateways = parseGateways(readText(join(folders.proc, 'net/route')) ?? '')
  const ipv6Gateways = parseIpv6Gateways(readText(join(folders.proc, 'net/ipv6_route')) ?? '')
  const servers = readNameServers(folders)
  const [dns1 = '', dns2 = ''] = servers.ipv4
  const root = join(folders.sys, 'class/net')
  const names = listFolder(root).filter((name) => isShown(join(root, name), name))
  return names.sort().map((iface) => {
    const folder = join(root, iface)
    const address = addresses[iface]?.find(({ family }) => family === 'IPv4')
    const gateway = gateways.get(iface) ?? ''
    const ipv6 = (addresses[iface] ?? []).flatMap(({ family, cidr }) => (family === 'IPv6' && cidr ? [cidr] : []))
    const ipv6Gateway = ipv6Gateways.get(iface) ?? ''
    const hasIpv6 = ipv6.some((each) => !isLinkLocalText(each.split('/')[0] ?? ''))
    const kind = kindOf(folder) ?? 'ethernet'
    const speed = readNumber(join(folder, 'speed'))
    const device = kind === 'usb' ? resolvePath(join(folder, 'device')) : undefined
    const busSpeed = device && usbSpeed(device)
    return {
      iface,
      kind,
      ipaddr: address?.address ?? '',
      netmask: address?.netmask ?? '',
      gateway,
      // The kernel has no name servers of its own: those of the machine belong to the interface with the default route.
      dns1: gateway && dns1,
      dns2: gateway && dns2,
      'ipv6-addresses': orderAddresses(ipv6),
      'ipv6-gateway': ipv6Gateway,
      'ipv6-dns': ipv6Gateway ? servers.ipv6 : [],
      mtu: readNumber(join(folder, 'mtu')) ?? 0,
      mac: readText(join(folder, 'address')) ?? '',
      link: linkOf(folder, address !== undefined || hasIpv6),
      ...(speed !== undefined && speed > 0 && { speed }),
      ...(busSpeed && { 'usb-speed': busSpeed }),
      'rx-bytes': readNumber(join(folder, 'statistics/rx_bytes')) ?? 0,
      'tx-bytes': readNumber(join(folder, 'statistics/tx_bytes')) ?? 0,
      ...(kind === 'vlan' && vlanOf(folders, iface))
    }
  })
}
