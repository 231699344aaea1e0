// Words for the ports of the hub, and for the effect of firewall settings on them.
import { openSources, opens, portsBlockedBy, touches } from '../../../contract/machine/firewall/effect.ts'
import {
  FIREWALL_MODE,
  type FirewallRule,
  type FirewallSettings,
  type HubFirewallPort,
  RULE_PROTOCOL
} from '../../../contract/machine/firewall/firewall.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './text.ts'

export const protocolText = (protocol: number): string =>
  protocol === RULE_PROTOCOL.both ? t(TEXT.both) : protocol === RULE_PROTOCOL.udp ? 'UDP' : 'TCP'

/** `UDP 9000`, or `TCP 5960-6059`. */
export const numberText = ({ port, 'last-port': last, protocol }: HubFirewallPort): string =>
  `${protocolText(protocol)} ${last === undefined ? port : `${port}-${last}`}`

/** `9000 UDP`, or `9000 UDP from 192.168.1.0/24`. */
export function nameOfRule({ port, protocol, source }: FirewallRule): string {
  const name = `${port} ${protocolText(protocol)}`
  return source ? t(TEXT.from, name, source) : name
}

const portText = (port: HubFirewallPort) => `${port.label} (${numberText(port)})`

export const portTexts = (ports: readonly HubFirewallPort[]): string => ports.map(portText).join(', ')

/** Names of the running channels on ports, without duplicates. */
export function streamTexts(ports: readonly HubFirewallPort[]): string[] {
  const names = new Set(ports.flatMap(({ streams = [] }) => streams))
  return [...names, ...(ports.some((port) => port['hidden-streams']) ? [t(TEXT.hiddenStreams)] : [])]
}

/** What a rule does to the ports of the hub, as sentences. */
export function describeRule(
  rule: FirewallRule,
  settings: FirewallSettings,
  ports: readonly HubFirewallPort[]
): string[] {
  if (settings.mode !== FIREWALL_MODE.rules) return [t(TEXT.ignored)]
  const touched = ports.filter((port) => touches(rule, port))
  if (touched.length === 0) return [t(TEXT.noEffect)]
  if (rule.enable && rule.source) return [t(TEXT.opens, t(TEXT.from, portTexts(touched), rule.source))]
  if (rule.enable) return [t(TEXT.opens, portTexts(touched))]
  const isOpen = (port: HubFirewallPort) => port['is-console'] || opens(settings, port)
  const [open, blocked] = [touched.filter(isOpen), touched.filter((port) => !isOpen(port))]
  return [
    ...(blocked.length > 0 ? [t(TEXT.leavesBlocked, portTexts(blocked))] : []),
    ...(open.length > 0 ? [t(TEXT.otherRule, portTexts(open))] : [])
  ]
}

/** A port that settings block, and from where they do not. */
function exceptText(settings: FirewallSettings, port: HubFirewallPort): string {
  const sources = openSources(settings, port)
  return sources.length > 0 ? t(TEXT.except, portText(port), sources.join(', ')) : portText(port)
}

/** Texts of the ports that a change blocks from some sources, which others could not reach before either. */
function portsBlockedFrom(
  before: FirewallSettings,
  after: FirewallSettings,
  ports: readonly HubFirewallPort[]
): string[] {
  return ports.flatMap((port) => {
    if (port['is-console']) return []
    const sources = openSources(before, port).filter((source) => !opens(after, port, source))
    return sources.length > 0 ? [t(TEXT.from, portText(port), sources.join(', '))] : []
  })
}

/** What a change does, as sentences: `warnings` about streams, and the other effects. */
export function describeChange(
  before: FirewallSettings,
  after: FirewallSettings,
  ports: readonly HubFirewallPort[]
): { effects: string[]; warnings: string[] } {
  const blocked = portsBlockedBy(before, after, ports)
  const opened = portsBlockedBy(after, before, ports)
  const blockedPart = portsBlockedFrom(before, after, ports)
  const openedPart = portsBlockedFrom(after, before, ports)
  const ending = streamTexts(blocked.filter((port) => port['one-way']))
  const staying = streamTexts(blocked.filter((port) => !port['one-way'])).filter((name) => !ending.includes(name))
  return {
    effects: [
      ...(blocked.length > 0 ? [t(TEXT.blocksNow, blocked.map((port) => exceptText(after, port)).join(', '))] : []),
      ...(blockedPart.length > 0 ? [t(TEXT.blocksNow, blockedPart.join(', '))] : []),
      ...(opened.length > 0 ? [t(TEXT.opensNow, portTexts(opened))] : []),
      ...(openedPart.length > 0 ? [t(TEXT.opensNow, openedPart.join(', '))] : []),
      ...(blocked.length + opened.length + blockedPart.length + openedPart.length === 0 ? [t(TEXT.nothing)] : []),
      ...(after.mode === FIREWALL_MODE.open ? [] : [t(TEXT.others)])
    ],
    warnings: [
      ...(ending.length > 0 ? [t(TEXT.endsNow, ending.join(', '))] : []),
      ...(staying.length > 0 ? [t(TEXT.cannotReturn, staying.join(', '))] : [])
    ]
  }
}
