// Which ports firewall settings open, and from where.
import { ipv4Number } from '../../ipv4.ts'
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

/** Source of a rule: an address or a network; empty: everywhere. */
const sourceOf = ({ source = '' }: Pick<FirewallRule, 'source'>): string => source

/** Whether a source contains another one. Of IPv6, only equal ones. */
function containsSource(outer: string, inner: string): boolean {
  if (outer === '' || outer === inner) return true
  const [network = '', bits = '32'] = outer.split('/')
  const [address = '', innerBits = '32'] = inner.split('/')
  const size = 2 ** (32 - Number(bits))
  // NaN, which no IPv4 address is, equals nothing.
  const isInside = Math.floor(ipv4Number(network) / size) === Math.floor(ipv4Number(address) / size)
  return isInside && Number(innerBits) >= Number(bits)
}

/**
 * Whether settings open every port of a range.
 * @param source from where; default: from everywhere
 */
export function opens({ mode, rules }: FirewallSettings, range: PortRange, source = ''): boolean {
  if (mode !== FIREWALL_MODE.rules) return mode === FIREWALL_MODE.open
  const { port, 'last-port': end = port } = range
  const open = rules
    .filter((rule) => rule.enable && touches(rule, range) && containsSource(sourceOf(rule), source))
    .map(portsOf)
  let next = port
  for (const [first, last] of open.sort(([a], [b]) => a - b)) if (first <= next) next = Math.max(next, last + 1)
  return next > end
}

/** The sources from which settings open every port of a range that they do not open from everywhere. */
export function openSources(settings: FirewallSettings, range: PortRange): string[] {
  if (opens(settings, range)) return []
  const sources = new Set(settings.rules.filter((rule) => rule.enable && touches(rule, range)).map(sourceOf))
  return [...sources].filter((source) => opens(settings, range, source))
}

/** Whether settings block a port of the hub, for anybody. */
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

/** The ranges of TCP or UDP ports that rules open from a source, sorted and joined. */
function openRanges(
  { mode, rules }: FirewallSettings,
  protocol: number,
  source: string
): [first: number, last: number][] {
  if (mode === FIREWALL_MODE.open) return [[1, 65535]]
  if (mode === FIREWALL_MODE.blocked) return []
  const ranges = rules
    .filter((rule) => rule.enable && hasProtocol(rule, protocol) && containsSource(sourceOf(rule), source))
    .map(portsOf)
  const joined: [number, number][] = []
  for (const [first, last] of ranges.sort(([a], [b]) => a - b)) {
    const previous = joined.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else joined.push([first, last])
  }
  return joined
}

/**
 * Whether a change blocks any port of the machine, for anybody. The ports of the console count as well: other programs
 * could use them over UDP.
 */
export function blocksAnyPort(before: FirewallSettings, after: FirewallSettings): boolean {
  const sources = before.mode === FIREWALL_MODE.rules ? new Set(before.rules.map(sourceOf)) : new Set<string>()
  return ['', ...sources].some((source) =>
    [RULE_PROTOCOL.tcp, RULE_PROTOCOL.udp].some((protocol) => {
      const open = openRanges(after, protocol, source)
      return openRanges(before, protocol, source).some(
        ([first, last]) => !open.some(([from, to]) => from <= first && last <= to)
      )
    })
  )
}
