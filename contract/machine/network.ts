// Network interfaces of the machine under the hub (docs/wire.md, "Network of the machine").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
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
  /** With DHCP: the name servers that users chose instead of those from DHCP. */
  'chosen-dns'?: string[]
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
  /** Name that users gave it; empty if none. */
  label: string
  /** The traffic that users want on it. A note for users: the hub does not enforce it. */
  uses: InterfaceUse[]
  /** Names of running channels that are bound to it, and `NDI`. */
  'used-by'?: string[]
  /** Running channels that the caller may not see are bound to it, too. */
  'hidden-streams'?: true
  /** NetworkManager leaves it alone, for instance because another program of the machine owns it. */
  unmanaged?: true
  wifi?: WifiState
}

export const INTERFACE_USES = ['console', 'devices', 'ndi'] as const

export type InterfaceUse = (typeof INTERFACE_USES)[number]

/** The Wi-Fi network that an interface has joined, or that it provides. */
export interface WifiState {
  ssid: string
  /** Percent. */
  signal?: number
  /** The interface provides the network. */
  hotspot?: true
}

/** A change that NetworkManager undoes unless it is confirmed in time. */
export interface NetworkChange {
  iface: string
  /** `applying`: not yet in effect. `waiting`: in effect, and to be confirmed. `undoing`: the hub or NetworkManager goes back. */
  state: 'applying' | 'waiting' | 'undoing'
  /** Seconds until NetworkManager undoes it. */
  'seconds-left': number
  /** User who made it. */
  by: string
  /** Address at which the change is to be confirmed; empty while it is unknown, as with DHCP. */
  ipaddr: string
  /** It must be confirmed over the changed interface, because it was requested there. */
  'over-iface': boolean
}

/**
 * Why a change was undone.
 * - `not-confirmed`: nobody confirmed it in time; also if the hub did not run meanwhile
 * - `address-in-use`: another machine has the address
 * - `no-address`: DHCP gave no address
 * - `wifi-password`, `wifi-missing`: the password is wrong; no such network in range
 * - `cancelled`: a user chose to go back
 * - `failed`: NetworkManager could not apply it; `detail` says why
 */
export const UNDO_REASONS = [
  'not-confirmed',
  'address-in-use',
  'no-address',
  'wifi-password',
  'wifi-missing',
  'cancelled',
  'failed'
] as const

export type UndoReason = (typeof UNDO_REASONS)[number]

/** How the last change ended. */
export interface NetworkOutcome {
  iface: string
  /** Milliseconds since the epoch. */
  time: number
  by: string
  outcome: 'kept' | 'undone'
  /** With `undone`. */
  reason?: UndoReason
  /** The reason in the language of the request. */
  text?: string
  /** With `failed`: the message of NetworkManager. */
  detail?: string
  /**
   * With `undone`: it is not known whether the previous settings are in effect. NetworkManager does not answer, or the interface does not have its
   * previous addresses.
   */
  unverified?: true
  /** With `undone`: the request, without secrets, so that a client can offer it again. */
  request?: Partial<SetNetworkRequest> | Partial<JoinWifiRequest>
}

export interface NetworkList {
  access: MachineAccess
  list: NetworkInterface[]
  change?: NetworkChange
  last?: NetworkOutcome
}

export interface SetNetworkRequest {
  iface: string
  label?: string
  uses?: InterfaceUse[]
  /** Without it, only `label`, `uses` and `mtu` change. With DHCP, name servers replace those from DHCP, and addresses are ignored. */
  'use-dhcp'?: boolean
  ipaddr?: string
  netmask?: string
  gateway?: string
  dns1?: string
  dns2?: string
  /** Bytes: 576-9216; 0 = the default of the link. Absent: unchanged. */
  mtu?: number
  /** Makes a VLAN on this interface. `iface` is then its name. */
  parent?: string
  'vlan-id'?: number
  /** Removes a VLAN. */
  remove?: boolean
  /** Also if channels or NDI use the interface. */
  force?: boolean
}

/** A change that was accepted. */
export interface ChangeAccepted {
  /** Absent if only label and uses changed, which needs no confirmation. */
  change?: NetworkChange
  /** For the console at the new address (`/follow`); absent for callers with an access token. */
  ticket?: string
}

export interface ConfirmNetworkRequest {
  /** False: go back at once. Default: true, keep the change. */
  keep?: boolean
}

export const WIFI_SECURITIES = ['open', 'wpa2', 'wpa3'] as const

export type WifiSecurity = (typeof WIFI_SECURITIES)[number]

/** A Wi-Fi network in range. Several access points of one network are one entry, with the strongest signal. */
export interface WifiNetwork {
  ssid: string
  /** Percent. */
  signal: number
  /** `other`: a kind that the hub cannot join, such as WEP or 802.1X. */
  security: WifiSecurity | 'other'
  /** GHz: 2.4, 5 or 6. */
  band: number
  /** The interface has joined it. */
  joined?: true
}

export interface JoinWifiRequest {
  iface: string
  ssid: string
  /** Not `open` for a hotspot. */
  security: WifiSecurity
  /** 8-63 characters; empty for open networks. */
  password: string
  /** The network does not announce its name. */
  hidden?: boolean
  /** Provides the network instead of joining it. */
  hotspot?: boolean
  force?: boolean
}

export const listNetwork = declareCall<EmptyRequest, NetworkList>('GET', '/network/list', SYSTEM_CONFIG_VIEW)

/**
 * Changes an interface under a checkpoint of NetworkManager, which undoes the change after 60 s without `confirmNetwork`.
 * 16 unknown interface; 26 the hub cannot change the network, with `message`; 43 another change waits for its confirmation; 1005 channels or NDI
 * use the interface; 7 with `field`: also `taken` if another machine has the address.
 */
export const setNetwork = declareCall<SetNetworkRequest, ChangeAccepted>('POST', '/network/set', SYSTEM_CONFIG_EDIT)

/**
 * Keeps the change, or goes back. To keep it, the request must arrive over a connection that was opened after the change, and at the changed
 * interface if the change was requested there; else 38. 16 if no change waits; 43, with `message`, if it is not
 * yet in effect or is being undone.
 */
export const confirmNetwork = declareCall<ConfirmNetworkRequest>('POST', '/network/confirm', SYSTEM_CONFIG_EDIT)

/** Looks for Wi-Fi networks in range, for a few seconds. Strongest first. */
export const scanWifi = declareCall<{ iface: string }, { list: WifiNetwork[] }>(
  'POST',
  '/network/scan',
  SYSTEM_CONFIG_EDIT
)

/** Joins a Wi-Fi network, or provides one, under a checkpoint as `setNetwork`. */
export const joinWifi = declareCall<JoinWifiRequest, ChangeAccepted>('POST', '/network/join', SYSTEM_CONFIG_EDIT)
