// Network interfaces of the machine under the hub (docs/wire.md, "Network of the machine").
import { SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'
import type { MachineAccess } from './machine.ts'

export const INTERFACE_KINDS = ['ethernet', 'wifi', 'usb', 'vlan'] as const

export type InterfaceKind = (typeof INTERFACE_KINDS)[number]

/** Values of `link`. */
export const LINK_STATE = {
  /** The interface is switched off. */
  down: 0,
  /** No cable, no carrier, or not joined to a Wi-Fi network. */
  disconnected: 1,
  /** The link is up, the interface has no address yet. */
  connecting: 2,
  connected: 3
} as const

/** `locked`: connected, and in use by a running channel or by NDI. */
export type InterfaceStatus = 'down' | 'disconnected' | 'connecting' | 'connected' | 'locked'

/** The IPv4 configuration of an interface. Empty text = none. */
export interface InterfaceAddress {
  ipaddr: string
  netmask: string
  gateway: string
  dns1: string
  dns2: string
}

/** A value that is unknown or does not apply is absent. */
export interface NetworkInterface extends InterfaceAddress {
  iface: string
  kind: InterfaceKind
  /** Unknown in view mode: the kernel does not know where an address came from. */
  'use-dhcp'?: boolean
  mtu: number
  mac: string
  /** `LINK_STATE`. */
  link: number
  status: InterfaceStatus
  /** Mbps: of an Ethernet or Wi-Fi link. */
  speed?: number
  /** Mbps of the USB bus: 12 full speed, 480 high speed, 5000 and more super speed. */
  'usb-speed'?: number
  /** Mbps, measured between this response and an earlier one. */
  rx?: number
  tx?: number
  /** Bytes since the interface exists. */
  'rx-bytes': number
  'tx-bytes': number
  /** The request arrived at this interface. */
  'is-console'?: true
  /** Of a VLAN: the interface that carries it, and its ID, 1-4094. */
  parent?: string
  'vlan-id'?: number
}

export interface NetworkList {
  access: MachineAccess
  list: NetworkInterface[]
}

export const listNetwork = declareCall<EmptyRequest, NetworkList>('GET', '/network/list', SYSTEM_CONFIG_VIEW)
