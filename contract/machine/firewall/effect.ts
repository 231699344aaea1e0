// Which ports firewall settings open.
import {
  FIREWALL_MODE,
  type FirewallRule,
  type FirewallSettings,
  type HubFirewallPort,
  RULE_PROTOCOL
} from './firewall.ts'

/** First and last port of a valid port or range. */
export function portsOf({ port }: Pick<FirewallRule, 'port'>): [first: number, last: number] {
  const [first = '', last = first] = port.split('-')
  return [Number(first), Number(last)]
}

const hasProtocol = (rule: Pick<FirewallRule, 'protocol'>, protocol: number) =>
  rule.protocol === RULE_PROTOCOL.both || rule.protocol === protocol

type PortRange = Pick<HubFirewallPort, 'port' | 'last-port' | 'protocol'>

/** Whether a rule concerns any port of a range. */
export function touches(rule: FirewallRule, { port, 'last-port': end = port, protocol }: PortRange): boolean {
  const [first, last] = portsOf(rule)
  return hasProtocol(rule, protocol) && first <= end && port <= last
}

/** Whether settings open every port of a range. */
export function opens({ mode, rules }: FirewallSettings, range: PortRange): boolean {
  if (mode !== FIREWALL_MODE.rules) return mode === FIREWALL_MODE.open
  const { port, 'last-port': end = port } = range
  const open = rules.filter((rule) => rule.enable && touches(rule, range)).map(portsOf)
  let next = port
  for (const [first, last] of open.sort(([a], [b]) => a - b)) if (first <= next) next = Math.max(next, last + 1)
  return next > end
}

/** Whether settings block a port of the hub. */
export const blocks = (settings: FirewallSettings, port: HubFirewallPort): boolean =>
  !port['is-console'] && !opens(settings, port)

/** The ports of the hub that a change blocks. */
export function portsBlockedBy(
  before: FirewallSettings,
  after: FirewallSettings,
  ports: readonly HubFirewallPort[]
): HubFirewallPort[] {
  return ports.filter((port) => !blocks(before, port) && blocks(after, port))
}

/** The ranges of TCP or UDP ports that rules open, sorted and joined. */
function openRanges({ mode, rules }: FirewallSettings, protocol: number): [first: number, last: number][] {
  if (mode === FIREWALL_MODE.open) return [[1, 65535]]
  if (mode === FIREWALL_MODE.blocked) return []
  const ranges = rules.filter((rule) => rule.enable && hasProtocol(rule, protocol)).map(portsOf)
  const joined: [number, number][] = []
  for (const [first, last] of ranges.sort(([a], [b]) => a - b)) {
    const previous = joined.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else joined.push([first, last])
  }
  return joined
}

/**
 * Whether a change blocks any port of the machine. The ports of the console count as well: other programs could use
 * them over UDP.
 */
export function blocksAnyPort(before: FirewallSettings, after: FirewallSettings): boolean {
  return [RULE_PROTOCOL.tcp, RULE_PROTOCOL.udp].some((protocol) => {
    const open = openRanges(after, protocol)
    return openRanges(before, protocol).some(([first, last]) => !open.some(([from, to]) => from <= first && last <= to))
  })
}
