// Interfaces as NetworkManager has them, on top of the readings of the kernel.

import { maskOfPrefix } from '../../../contract/ipv4.ts'
import { type InterfaceKind, LINK_STATE, type WifiState } from '../../../contract/machine/network.ts'
import { addressOfBytes, orderAddresses } from './ipv6-settings.ts'
import type { KernelInterface } from './kernel-interfaces.ts'
import { DEVICE_STATE, DEVICE_TYPE, type Objects } from './network-manager.ts'

/** `Mode` of a Wi-Fi device that provides a network. */
const MODE_AP = 3
/** `Method` of a connection whose address comes from DHCP. */
const NO_OBJECT = '/'

export type ManagedInterface = KernelInterface & { unmanaged?: true; wifi?: WifiState }

type Properties = Record<string, unknown>

/** The kind of a device; undefined for kinds that are not shown. */
function kindOf(device: Properties): InterfaceKind | undefined {
  switch (device.DeviceType) {
    case DEVICE_TYPE.ethernet:
    case DEVICE_TYPE.veth:
      return /\/usb\d*\/|usb/.test(`${device.Udi} ${device.Path ?? ''} ${device.Driver ?? ''}`) ? 'usb' : 'ethernet'
    case DEVICE_TYPE.wifi:
      return 'wifi'
    case DEVICE_TYPE.vlan:
      return 'vlan'
    default:
      return undefined
  }
}

function linkOf(device: Properties, kernelLink: number | undefined): number {
  const state = Number(device.State)
  if (state === DEVICE_STATE.unmanaged) return kernelLink ?? LINK_STATE.down
  if (state === DEVICE_STATE.unavailable)
    return kernelLink === LINK_STATE.down ? LINK_STATE.down : LINK_STATE.disconnected
  if (state === DEVICE_STATE.activated) return LINK_STATE.connected
  return state > DEVICE_STATE.disconnected && state < DEVICE_STATE.activated
    ? LINK_STATE.connecting
    : LINK_STATE.disconnected
}

/** Address, gateway and name servers of a device. */
function addressOf(objects: Objects, device: Properties): Partial<KernelInterface> {
  const config = objects.get(device.Ip4Config, 'IP4Config')
  if (!config) return {}
  const [first] = (config.AddressData ?? []) as { address?: string; prefix?: number }[]
  const servers = ((config.NameserverData ?? []) as { address?: string }[]).map(({ address = '' }) => address)
  return {
    ipaddr: first?.address ?? '',
    netmask: first?.prefix ? maskOfPrefix(first.prefix) : '',
    gateway: String(config.Gateway ?? ''),
    dns1: servers[0] ?? '',
    dns2: servers[1] ?? '',
    'use-dhcp': (device.Dhcp4Config ?? NO_OBJECT) !== NO_OBJECT
  }
}

/** IPv6 addresses, gateway and name servers of a device. */
function ipv6AddressOf(objects: Objects, device: Properties): Partial<KernelInterface> {
  const config = objects.get(device.Ip6Config, 'IP6Config')
  if (!config) return { 'ipv6-addresses': [], 'ipv6-gateway': '', 'ipv6-dns': [] }
  const addresses = (config.AddressData ?? []) as { address?: string; prefix?: number }[]
  return {
    'ipv6-addresses': orderAddresses(addresses.map(({ address, prefix }) => `${address}/${prefix}`)),
    'ipv6-gateway': String(config.Gateway ?? ''),
    'ipv6-dns': ((config.Nameservers ?? []) as ArrayLike<number>[]).map(addressOfBytes)
  }
}

function wifiOf(objects: Objects, path: string): WifiState | undefined {
  const wireless = objects.get(path, 'Device.Wireless')
  const accessPoint = objects.get(wireless?.ActiveAccessPoint, 'AccessPoint')
  if (!wireless || !accessPoint) return undefined
  const isHotspot = wireless.Mode === MODE_AP
  return {
    ssid: Buffer.from((accessPoint.Ssid ?? []) as number[]).toString(),
    ...(isHotspot ? { hotspot: true as const } : { signal: Number(accessPoint.Strength ?? 0) })
  }
}

/** Mbps of a link; NetworkManager reports Wi-Fi in kbit/s. */
function speedOf(objects: Objects, path: string): number | undefined {
  const wired = Number(objects.get(path, 'Device.Wired')?.Speed ?? 0)
  const wireless = Math.round(Number(objects.get(path, 'Device.Wireless')?.Bitrate ?? 0) / 1000)
  return wired || wireless || undefined
}

function vlanOf(objects: Objects, path: string): Partial<KernelInterface> {
  const vlan = objects.get(path, 'Device.Vlan')
  if (!vlan) return {}
  const parent = objects.get(vlan.Parent, 'Device')?.Interface
  return { 'vlan-id': Number(vlan.VlanId), ...(parent !== undefined && { parent: String(parent) }) }
}

/** The interfaces of NetworkManager and of the kernel, by name. */
export function mergeDevices(objects: Objects, kernel: readonly KernelInterface[]): ManagedInterface[] {
  const byName = new Map<string, ManagedInterface>(kernel.map((each) => [each.iface, each]))
  for (const { path, device } of objects.devices()) {
    const iface = String(device.Interface)
    const known = byName.get(iface)
    const kind = known?.kind ?? kindOf(device)
    if (!kind) continue
    const isManaged = device.State !== DEVICE_STATE.unmanaged
    const speed = speedOf(objects, path)
    const wifi = wifiOf(objects, path)
    const hardware = objects.get(path, 'Device.Wired') ?? objects.get(path, 'Device.Wireless') ?? {}
    byName.set(iface, {
      ipaddr: '',
      netmask: '',
      gateway: '',
      dns1: '',
      dns2: '',
      mtu: Number(device.Mtu ?? 0),
      mac: String(device.HwAddress ?? hardware.HwAddress ?? '').toLowerCase(),
      'rx-bytes': 0,
      'tx-bytes': 0,
      ...known,
      iface,
      kind,
      link: linkOf(device, known?.link),
      ...(isManaged
        ? { ...addressOf(objects, device), ...ipv6AddressOf(objects, device) }
        : { unmanaged: true as const }),
      ...(speed !== undefined && { speed }),
      ...(wifi && { wifi }),
      ...vlanOf(objects, path)
    })
  }
  return [...byName.values()].sort((a, b) => (a.iface < b.iface ? -1 : 1))
}
