// The firewall of the machine under the hub (docs/wire.md, "Firewall of the machine").

import { SYSTEM_CONFIG_VIEW } from '../../access/permissions.ts'
import { declareCall } from '../../call.ts'
import type { RequestTo } from '../../calls.schema.ts'

export type {
  FirewallChange,
  FirewallMode,
  FirewallOutcome,
  FirewallRule,
  FirewallSettings,
  FirewallState,
  FirewallUndoReason,
  HubFirewallPort,
  PacketCount,
  PortUse,
  RuleProtocol
} from './firewall.schema.ts'

/**
 * - `rules`: the ports of the enabled rules are open, all others are blocked
 * - `blocked`: all ports are blocked; the rules are ignored
 * - `open`: all ports are open; the rules are ignored
 *
 * In no mode are the ports of the console blocked, nor connections that exist.
 */
export const FIREWALL_MODE = { rules: -1, blocked: 0, open: 1 } as const

/** Protocol of a rule. */
export const RULE_PROTOCOL = { tcp: 0, udp: 1, both: 2 } as const

/**
 * Why a change was undone.
 * - `not-confirmed`: nobody confirmed it in time; also if the hub did not run meanwhile
 * - `cancelled`: a user undid it
 * - `interrupted`: the firewall service was restarted before the change was confirmed
 */
export const FIREWALL_UNDO_REASONS = ['not-confirmed', 'cancelled', 'interrupted'] as const

export type SetFirewallRequest = RequestTo<'POST /firewall/set'>

export const getFirewall = declareCall('GET /firewall/get', SYSTEM_CONFIG_VIEW)

export const setFirewall = declareCall('POST /firewall/set', 'admin', { reauthenticate: true, interrupts: true })

export const confirmFirewall = declareCall('POST /firewall/confirm', 'admin')
