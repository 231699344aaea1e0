// Settings of NetworkManager connections (a{sa{sv}}), built from the fields of requests.
import { randomUUID } from 'node:crypto'
import { Variant } from '@jellybrick/dbus-next'
import { ipv4Number, prefixLength } from '../../../contract/ipv4.ts'
import type { JoinWifiRequest, NetworkInterface, SetNetworkRequest } from '../../../contract/machine/network.ts'
import type { StaticRoute } from '../../../contract/rules/addressing.ts'
import { type Ipv6Request, ipv6Section, REPLACED_KEYS } from './ipv6-settings.ts'

/** Settings as NetworkManager takes and returns them. */
export type ConnectionSettings = Record<string, Record<string, Variant>>

/**
 * Milliseconds for which NetworkManager asks whether another machine has a new address (RFC 5227). An address in use
 * makes the activation fail.
 */
const DUPLICATE_TIMEOUT = 1000

const text = (value: string) => new Variant('s', value)
const yes = new Variant('b', true)

/**
 * An IPv4 address as NetworkManager stores name servers: its bytes in network order, read as a number of this machine.
 */
export function packedAddress(address: string): number {
  return Buffer.from(address.split('.').map(Number)).readUInt32LE()
}

/** The address fields of `setNetwork`. */
export type AddressRequest = Pick<
  SetNetworkRequest,
  'use-dhcp' | 'ipaddr' | 'netmask' | 'gateway' | 'dns1' | 'dns2' | 'further-addresses' | 'routes'
>

const REPLACED = [...REPLACED_KEYS, 'dad-timeout']

/** Addresses of a connection beyond the one that requests replace. With DHCP, that one is not stored. */
function furtherAddresses({ method, 'address-data': stored }: Record<string, Variant>): Record<string, Variant>[] {
  const addresses = (stored?.value ?? []) as Record<string, Variant>[]
  return method?.value === 'auto' ? addresses : addresses.slice(1)
}

/**
 * The section `ipv4`.
 * @param previous keeps what the request has no fields for, such as routes, the client ID of DHCP, and further
 * addresses and name servers
 */
export function ipv4Section(request: AddressRequest, previous: Record<string, Variant> = {}): Record<string, Variant> {
  const { ipaddr = '', netmask = '', gateway = '', dns1 = '', dns2 = '' } = request
  const isReplaced = (name: string) =>
    REPLACED.includes(name) || (name === 'never-default' && request['use-dhcp'] === false && gateway !== '')
  const kept = Object.fromEntries(Object.entries(previous).filter(([name]) => !isReplaced(name)))
  const chosen = [dns1, dns2].filter(Boolean)
  const further = nameServersOf({ ipv4: previous }).slice(2)
  const servers = chosen.length > 0 ? [...new Set([...chosen, ...further])] : []
  const common = {
    ...kept,
    // The activation fails without an IPv4 address, so that the change is undone at once.
    'may-fail': new Variant('b', false),
    ...(servers.length > 0 && { dns: new Variant('au', servers.map(packedAddress)), 'ignore-auto-dns': yes })
  }
  const others = furtherAddresses(previous).filter(({ address }) => address?.value !== ipaddr)
  if (request['use-dhcp'] !== false)
    return {
      ...common,
      method: text('auto'),
      ...(others.length > 0 && { 'address-data': new Variant('aa{sv}', others) })
    }
  const address = { address: text(ipaddr), prefix: new Variant('u', prefixLength(netmask)) }
  return {
    ...common,
    // A hotspot also has a chosen address, and gives addresses to its clients.
    method: text(previous.method?.value === 'shared' ? 'shared' : 'manual'),
    'address-data': new Variant('aa{sv}', [address, ...others]),
    'dad-timeout': new Variant('i', DUPLICATE_TIMEOUT),
    ...(gateway !== '' && { gateway: text(gateway) })
  }
}

/** The name servers of a connection. With DHCP, those that users chose instead of the servers of DHCP. */
export function nameServersOf({ ipv4 }: ConnectionSettings): string[] {
  const servers = (ipv4?.dns?.value ?? []) as number[]
  return servers.map((server) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(server)
    return bytes.join('.')
  })
}

const addressData = (range: string) => {
  const [address = '', bits] = range.split('/')
  return { address: text(address), prefix: new Variant('u', Number(bits)) }
}

const routeData = ({ to, via }: StaticRoute) => {
  const [network = '', bits = '32'] = to.split('/')
  return { dest: text(network), prefix: new Variant('u', Number(bits)), 'next-hop': text(via) }
}

/**
 * The section `ipv4` with the further addresses and the static routes of a request. Those that it does not have stay.
 * NetworkManager ignores the values in `-data` while the section also has those of its older form.
 */
function withAddressing(
  section: Record<string, Variant>,
  { 'further-addresses': further, routes }: AddressRequest
): Record<string, Variant> {
  const isReplaced = (name: string) => (further && name === 'addresses') || (routes && name === 'routes')
  const kept = Object.fromEntries(Object.entries(section).filter(([name]) => !isReplaced(name)))
  const stored = (section['address-data']?.value ?? []) as Record<string, Variant>[]
  const first = section.method?.value === 'auto' ? [] : stored.slice(0, 1)
  return {
    ...kept,
    ...(further && { 'address-data': new Variant('aa{sv}', [...first, ...further.map(addressData)]) }),
    ...(routes && { 'route-data': new Variant('aa{sv}', routes.map(routeData)) })
  }
}

/** The further addresses and the static routes of a connection. */
export function addressingOf({
  ipv4 = {}
}: ConnectionSettings): Pick<NetworkInterface, 'further-addresses' | 'routes'> {
  const fieldOf = (fields: Record<string, Variant>, name: string) => fields[name]?.value ?? ''
  const further = furtherAddresses(ipv4).map((each) => `${fieldOf(each, 'address')}/${fieldOf(each, 'prefix')}`)
  const routes = ((ipv4['route-data']?.value ?? []) as Record<string, Variant>[])
    .filter((each) => each['next-hop'])
    .map((each) => ({
      to: `${fieldOf(each, 'dest')}/${fieldOf(each, 'prefix')}`,
      via: String(fieldOf(each, 'next-hop'))
    }))
  return { ...(further.length > 0 && { 'further-addresses': further }), ...(routes.length > 0 && { routes }) }
}

/**
 * Settings with new addresses, routes or a new MTU. Without `use-dhcp` the first IPv4 address stays, without
 * `ipv6-method` all of IPv6.
 */
export function withAddress(
  settings: ConnectionSettings,
  request: AddressRequest & Ipv6Request & Pick<SetNetworkRequest, 'mtu'>
): ConnectionSettings {
  const hasAddressing = request['further-addresses'] !== undefined || request.routes !== undefined
  const section = request['use-dhcp'] === undefined ? (settings.ipv4 ?? {}) : ipv4Section(request, settings.ipv4)
  const link = settings['802-11-wireless'] ? '802-11-wireless' : '802-3-ethernet'
  return {
    ...settings,
    ...(request.mtu !== undefined && { [link]: { ...settings[link], mtu: new Variant('u', request.mtu) } }),
    ...((hasAddressing || request['use-dhcp'] !== undefined) && { ipv4: withAddressing(section, request) }),
    ...(request['ipv6-method'] !== undefined && { ipv6: ipv6Section(request, settings.ipv6) })
  }
}

/** @param type of the connection, as NetworkManager names it */
function connectionSection(iface: string, type: string, id = iface): Record<string, Variant> {
  return {
    id: text(id),
    uuid: text(randomUUID()),
    type: text(type),
    'interface-name': text(iface),
    autoconnect: yes
  }
}

const automaticIpv6 = { method: text('auto') }

/**
 * A new connection of an Ethernet or USB interface.
 * @param ipv6 the section of the connection that it replaces
 */
export function ethernetConnection(
  iface: string,
  request: AddressRequest,
  ipv6: Record<string, Variant> = automaticIpv6
): ConnectionSettings {
  return {
    connection: connectionSection(iface, '802-3-ethernet'),
    '802-3-ethernet': {},
    ipv4: ipv4Section(request),
    ipv6
  }
}

/** Settings of a connection whose activation succeeds without an IPv4 address, as in a network with IPv6 alone. */
export function withoutNeedOfIpv4(settings: ConnectionSettings): ConnectionSettings {
  return { ...settings, ipv4: { ...settings.ipv4, 'may-fail': yes } }
}

/** A new VLAN. */
export function vlanConnection(
  iface: string,
  parent: string,
  id: number,
  request: AddressRequest & Ipv6Request & Pick<SetNetworkRequest, 'mtu'>
): ConnectionSettings {
  const settings = {
    connection: connectionSection(iface, 'vlan'),
    vlan: { parent: text(parent), id: new Variant('u', id), flags: new Variant('u', 1) },
    ipv6: automaticIpv6
  }
  return withAddress(settings, { ...request, 'use-dhcp': request['use-dhcp'] ?? true })
}

/** A new connection to a Wi-Fi network, or of a hotspot, whose clients get addresses and the uplink of the machine. */
export function wifiConnection({
  iface,
  ssid,
  security,
  password,
  hidden,
  hotspot
}: JoinWifiRequest): ConnectionSettings {
  const wireless = {
    ssid: new Variant('ay', Buffer.from(ssid)),
    mode: text(hotspot ? 'ap' : 'infrastructure'),
    ...(hidden && { hidden: yes })
  }
  const keys = security === 'wpa3' ? 'sae' : 'wpa-psk'
  return {
    connection: connectionSection(iface, '802-11-wireless', `${iface} ${ssid}`),
    '802-11-wireless': wireless,
    ...(security !== 'open' && {
      '802-11-wireless-security': { 'key-mgmt': text(keys), psk: text(password) }
    }),
    ipv4: hotspot ? { method: text('shared') } : { method: text('auto'), 'may-fail': new Variant('b', false) },
    ipv6: hotspot ? { method: text('ignore') } : automaticIpv6
  }
}

/** Whether an address is in the subnet of another. */
export function isSameSubnet(address: string, other: string, netmask: string): boolean {
  const size = 2 ** (32 - prefixLength(netmask))
  return Math.floor(ipv4Number(address) / size) === Math.floor(ipv4Number(other) / size)
}
