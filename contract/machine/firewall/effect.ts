// Which ports firewall settings open, and from where.
import { ipv4Number } from '../../ipv4.ts'
import { ipv6Groups } from '../../ipv6.ts'
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

export type PortRange = Pick<HubFirewallPort, 'port' | 'last-port' | 'protocol'>

/** Whether a rule concerns any port of a range. */
export function touches(rule: FirewallRule, { port, 'last-port': end = port, protocol }: PortRange): boolean {
  const [first, last] = portsOf(rule)
  return hasProtocol(rule, protocol) && first <= end && port <= last
}

/** Source of a rule: an address or a network; empty: everywhere. */
const sourceOf = ({ source = '' }: Pick<FirewallRule, 'source'>): string => source

/** The bits of the prefix of a source; undefined if it is neither an IPv4 nor an IPv6 address or network. */
function prefixOf(source: string): { isIpv6: boolean; bits: string } | undefined {
  const [address = '', length] = source.split('/')
  const groups = ipv6Groups(address)
  const number = ipv4Number(address)
  if (!groups && Number.isNaN(number)) return undefined
  const bits = groups
    ? groups.map((group) => group.toString(2).padStart(16, '0')).join('')
    : number.toString(2).padStart(32, '0')
  return { isIpv6: groups !== undefined, bits: bits.slice(0, Number(length ?? bits.length)) }
}

/** Whether a source contains another one. */
function containsSource(outer: string, inner: string): boolean {
  if (outer === '' || outer === inner) return true
  const [network, part] = [prefixOf(outer), prefixOf(inner)]
  if (!network || !part) return false
  return network.isIpv6 === part.isIpv6 && part.bits.startsWith(network.bits)
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
