// The firewall of the machine under the hub (docs/wire.md, "Firewall of the machine").
import { SYSTEM_CONFIG_EDIT, SYSTEM_CONFIG_VIEW } from '../../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../../call.ts'
import type { MachineAccess } from '../machine.ts'

/**
 * - `rules`: the ports of the enabled rules are open, all others are blocked
 * - `blocked`: all ports are blocked; the rules are ignored
 * - `open`: all ports are open; the rules are ignored
 *
 * In no mode are the ports of the console blocked, nor connections that exist.
 */
export const FIREWALL_MODE = { rules: -1, blocked: 0, open: 1 } as const

export type FirewallMode = (typeof FIREWALL_MODE)[keyof typeof FIREWALL_MODE]

/** Protocol of a rule. */
export const RULE_PROTOCOL = { tcp: 0, udp: 1, both: 2 } as const

export type RuleProtocol = (typeof RULE_PROTOCOL)[keyof typeof RULE_PROTOCOL]

/** Opens ports in the mode `rules`. */
export interface FirewallRule {
  /** A port, or a range `a-b`. */
  port: string
  protocol: RuleProtocol
  remark: string
  /** A rule that is disabled opens nothing. */
  enable: boolean
}

/** What users set. */
export interface FirewallSettings {
  mode: FirewallMode
  rules: FirewallRule[]
}

/** Packets and bytes that the kernel has counted. */
export interface PacketCount {
  packets: number
  bytes: number
}

/** What the hub itself uses a port for. */
export type PortUse =
  | 'http'
  | 'https'
  | 'link'
  | 'files'
  | 'srt'
  | 'rtmp'
  | 'forward'
  | 'panel'
  | 'input'
  | 'output'
  | 'ndi'
  | 'ndi-input'
  | 'ndi-server'
  | 'mdns'

/** A port of the hub itself, or a range of ports. */
export interface HubFirewallPort {
  port: number
  /** Of a range. */
  'last-port'?: number
  protocol: typeof RULE_PROTOCOL.tcp | typeof RULE_PROTOCOL.udp
  use: PortUse
  /** The use in the language of the request, with the name of the input, output or matrix if the caller may see it. */
  label: string
  /** It is never blocked. */
  'is-console'?: true
  /** Names of the running channels whose streams use the port. */
  streams?: string[]
  /** Running channels that the caller may not see use the port, too. */
  'hidden-streams'?: true
  /** Its streams have no connection that would stay: they end when the port is blocked. */
  'one-way'?: true
}

/** A change that is undone unless it is confirmed in time. */
export interface FirewallChange extends FirewallSettings {
  'seconds-left': number
  /** User who made it. */
  by: string
}

/**
 * Why a change was undone.
 * - `not-confirmed`: nobody confirmed it in time; also if the hub did not run meanwhile
 * - `cancelled`: a user undid it
 * - `interrupted`: the firewall service was restarted before the change was confirmed
 */
export const FIREWALL_UNDO_REASONS = ['not-confirmed', 'cancelled', 'interrupted'] as const

export type FirewallUndoReason = (typeof FIREWALL_UNDO_REASONS)[number]

/** How the last change ended. */
export interface FirewallOutcome {
  /** Milliseconds since the epoch. */
  time: number
  by: string
  outcome: 'kept' | 'undone'
  /** With `undone`. */
  reason?: FirewallUndoReason
  /** The reason in the language of the request. */
  text?: string
  /** With `undone`: the requested settings, so that a client can offer it again. */
  request?: FirewallSettings
}

export interface FirewallState extends FirewallSettings {
  access: MachineAccess
  /** Of the stored mode and rules: equal settings have the same revision. */
  revision: string
  /**
   * Whether the kernel has these settings. False after an import, or if another program has removed the hub's table. Absent while it is unknown:
   * in view mode, without the firewall service, and while a change waits for its confirmation.
   */
  'in-effect'?: boolean
  /** Of each rule, in their order, since `counted-since`; null for rules that have no effect. Absent if they are not in effect. */
  counts?: (PacketCount | null)[]
  /** What arrived at ports that are blocked. */
  refused?: PacketCount
  /** Milliseconds since the epoch. */
  'counted-since'?: number
  ports: HubFirewallPort[]
  change?: FirewallChange
  last?: FirewallOutcome
}

export interface SetFirewallRequest extends FirewallSettings {
  /** Also if ports are blocked that running channels use. */
  force?: boolean
  /** Optimistic lock: `revision` of the settings that the caller last read. Default: any. */
  revision?: string
}

export interface ConfirmFirewallRequest {
  /** False: undo the change at once. Default: true, keep the change. */
  keep?: boolean
}

export const getFirewall = declareCall<EmptyRequest, FirewallState>('GET', '/firewall/get', SYSTEM_CONFIG_VIEW)

/**
 * Replaces mode and rules. A change that blocks a port is undone after 60 s without `confirmFirewall`; `change` is then present.
 * 26 the hub cannot change the firewall, with `message`; 43 another change waits for its confirmation, or with `revision` is being applied; 1004
 * the settings have another `revision` by now; 1005 ports are blocked that the channels in `owner-i` use; 7 with `rules.port` and the fault
 * `taken`: two rules are equal.
 */
export const setFirewall = declareCall<SetFirewallRequest, { change?: FirewallChange }>(
  'POST',
  '/firewall/set',
  SYSTEM_CONFIG_EDIT
)

/**
 * Keeps or undoes the change. To keep it, the request must arrive over a connection that was opened after the change; else 38. 16 if no
 * change waits.
 */
export const confirmFirewall = declareCall<ConfirmFirewallRequest>('POST', '/firewall/confirm', SYSTEM_CONFIG_EDIT)
