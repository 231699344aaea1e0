// The section `ipv6` of NetworkManager connections, built from the fields of requests and read back.
import { Variant } from '@jellybrick/dbus-next'
import { ipv6Groups, ipv6Text, isLinkLocal } from '../../../contract/ipv6.ts'
import type { NetworkInterface, SetNetworkRequest } from '../../../contract/machine/network.ts'
import type { StaticRoute } from '../../../contract/rules/addressing.ts'

type Section = Record<string, Variant>

/** The IPv6 fields of `setNetwork`. */
export type Ipv6Request = Pick<
  SetNetworkRequest,
  'ipv6-method' | 'ipv6-addresses' | 'ipv6-gateway' | 'ipv6-dns' | 'ipv6-routes'
>

/** What users have chosen, as the list shows it. */
type Ipv6Choice = Pick<
  NetworkInterface,
  'ipv6-method' | 'ipv6-chosen-addresses' | 'ipv6-chosen-gateway' | 'ipv6-chosen-dns' | 'ipv6-routes'
>

/** `method` of NetworkManager for each method of requests. */
const METHODS = { auto: 'auto', static: 'manual', off: 'disabled' } as const

/** Methods of NetworkManager that are one of requests. With `dhcp`, routers are not asked, but nothing is chosen. */
const METHODS_READ: Readonly<Record<string, NonNullable<NetworkInterface['ipv6-method']>>> = {
  auto: 'auto',
  dhcp: 'auto',
  manual: 'static',
  disabled: 'off'
}

/**
 * The keys of the sections `ipv4` and `ipv6` that a request replaces, with other forms of the same values that
 * NetworkManager returns.
 */
export const REPLACED_KEYS = [
  'method',
  'address-data',
  'addresses',
  'gateway',
  'dns',
  'dns-data',
  'ignore-auto-dns',
  'may-fail'
]
const REPLACED = [...REPLACED_KEYS, 'route-data', 'routes']

const text = (value: string) => new Variant('s', value)

/** The bytes of an IPv6 address, as NetworkManager stores name servers. */
export function addressBytes(address: string): Buffer {
  const bytes = Buffer.alloc(16)
  for (const [index, group] of (ipv6Groups(address) ?? []).entries()) bytes.writeUInt16BE(group, 2 * index)
  return bytes
}

/** The text of an IPv6 address of 16 bytes. */
export function addressOfBytes(bytes: ArrayLike<number>): string {
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0))
  return ipv6Text(groups.map((group) => group.toString(16)).join(':')) ?? ''
}

function splitRange(range: string): { address: string; prefix: Variant } {
  const [address = '', bits] = range.split('/')
  return { address: ipv6Text(address) ?? address, prefix: new Variant('u', Number(bits)) }
}

const addressData = (range: string) => {
  const { address, prefix } = splitRange(range)
  return { address: text(address), prefix }
}

const routeData = ({ to, via }: StaticRoute) => {
  const { address, prefix } = splitRange(to)
  return { dest: text(address), prefix, 'next-hop': text(ipv6Text(via) ?? via) }
}

/**
 * The section `ipv6` with the configuration of a request.
 * @param previous keeps what the request has no fields for, such as privacy extensions; without `ipv6-method` all of it
 */
export function ipv6Section(request: Ipv6Request, previous: Section = { method: text('auto') }): Section {
  const { 'ipv6-method': method, 'ipv6-gateway': gateway = '', 'ipv6-routes': routes = [] } = request
  const { 'ipv6-addresses': addresses = [], 'ipv6-dns': servers = [] } = request
  if (method === undefined) return previous
  const isReplaced = (name: string) =>
    REPLACED.includes(name) || (name === 'never-default' && method === 'static' && gateway !== '')
  const kept = Object.fromEntries(Object.entries(previous).filter(([name]) => !isReplaced(name)))
  if (method === 'off') return { ...kept, method: text(METHODS.off) }
  return {
    ...kept,
    method: text(METHODS[method]),
    // An address that another machine has makes the activation fail, so that the change is undone at once.
    'may-fail': new Variant('b', method === 'auto'),
    ...(addresses.length > 0 && { 'address-data': new Variant('aa{sv}', addresses.map(addressData)) }),
    ...(method === 'static' && gateway !== '' && { gateway: text(ipv6Text(gateway) ?? gateway) }),
    ...(servers.length > 0 && {
      dns: new Variant('aay', servers.map(addressBytes)),
      'ignore-auto-dns': new Variant('b', true)
    }),
    ...(routes.length > 0 && { 'route-data': new Variant('aa{sv}', routes.map(routeData)) })
  }
}

/** What users have chosen for a connection. Without a section, NetworkManager sets addresses automatically. */
export function ipv6Of({ ipv6 = {} }: Record<string, Section>): Ipv6Choice {
  const fieldOf = (fields: Section, name: string) => fields[name]?.value ?? ''
  const listOf = (name: string) => (ipv6[name]?.value ?? []) as Section[]
  const addresses = listOf('address-data').map((each) => `${fieldOf(each, 'address')}/${fieldOf(each, 'prefix')}`)
  const servers = ((ipv6.dns?.value ?? []) as Uint8Array[]).map(addressOfBytes)
  const routes = listOf('route-data')
    .filter((each) => each['next-hop'])
    .map((each) => ({
      to: `${fieldOf(each, 'dest')}/${fieldOf(each, 'prefix')}`,
      via: String(fieldOf(each, 'next-hop'))
    }))
  const gateway = String(fieldOf(ipv6, 'gateway'))
  return {
    'ipv6-method': METHODS_READ[String(ipv6.method?.value ?? 'auto')] ?? 'other',
    ...(addresses.length > 0 && { 'ipv6-chosen-addresses': addresses }),
    ...(gateway !== '' && { 'ipv6-chosen-gateway': gateway }),
    ...(servers.length > 0 && { 'ipv6-chosen-dns': servers }),
    ...(routes.length > 0 && { 'ipv6-routes': routes })
  }
}

/** Whether an address is link-local. */
export const isLinkLocalText = (address: string): boolean => isLinkLocal(ipv6Groups(address) ?? [])

/** Addresses with the length of their prefix, each without repetition, and link-local ones last. */
export function orderAddresses(addresses: readonly string[]): string[] {
  const rankOf = (address: string) => Number(isLinkLocalText(address.split('/')[0] ?? ''))
  return [...new Set(addresses)].sort((a, b) => rankOf(a) - rankOf(b))
}
