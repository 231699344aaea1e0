// Network interfaces of the machine under the hub (docs/wire.md, "Network of the machine").

import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../access/permissions.ts'
import { declareCall } from '../call.ts'
import type { RequestTo } from '../calls.schema.ts'

export type {
  ChangeAccepted,
  InterfaceAddress,
  InterfaceKind,
  InterfaceStatus,
  InterfaceUse,
  JoinWifiRequest,
  NetworkChange,
  NetworkCheck,
  NetworkInterface,
  NetworkList,
  NetworkOutcome,
  SetNetworkRequest,
  UndoReason,
  WifiNetwork,
  WifiSecurity,
  WifiState
} from './network.schema.ts'

export const INTERFACE_KINDS = ['ethernet', 'wifi', 'usb', 'vlan'] as const

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

export const INTERFACE_USES = ['console', 'devices', 'ndi'] as const

/** How an interface gets its IPv6 addresses. */
export const IPV6_METHODS = ['auto', 'static', 'off'] as const

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

export type ConfirmNetworkRequest = RequestTo<'POST /network/confirm'>

export const WIFI_SECURITIES = ['open', 'wpa2', 'wpa3'] as const

export const listNetwork = declareCall('GET /network/list', SYSTEM_CONFIG_VIEW)

export const setNetwork = declareCall('POST /network/set', SYSTEM_CONFIG_EDIT, { interrupts: true })

export const confirmNetwork = declareCall('POST /network/confirm', SYSTEM_CONFIG_EDIT)

export const scanWifi = declareCall('POST /network/scan', SYSTEM_CONFIG_EDIT)

export const joinWifi = declareCall('POST /network/join', SYSTEM_CONFIG_EDIT, { interrupts: true })
