// The hub's own nftables table. Its text is made of numbers, IP addresses and fixed words only, and is applied in one
// transaction.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Count, OpenPorts, OpenRange } from './protocol.ts'

const NFT = '/usr/sbin/nft'
const TABLE = 'inet headend'
/** Milliseconds, and bytes of output. */
const TIMEOUT = 5000
const OUTPUT_MAX = 1 << 20

/** A reading of the table in the kernel. */
export interface TableReading {
  counts: Map<string, Count>
}

const MATCHES = ['tcp dport', 'udp dport', 'meta l4proto { tcp, udp } th dport'] as const

/** The match of a source; none for everywhere. */
const sourceText = ([, , , source]: OpenRange) =>
  source === undefined ? '' : `${source.includes(':') ? 'ip6' : 'ip'} saddr ${source} `

const portText = ([first, last]: OpenRange) => (first === last ? `${first}` : `${first}-${last}`)

/**
 * The rule of a range. It comes before all others, so that its counter sees every packet. The first of several that
 * match counts.
 */
const ruleOf = (range: OpenRange, index: number) =>
  `    ${sourceText(range)}${MATCHES[range[2]]} ${portText(range)} counter accept comment "${index}"`

/** Removes the table, whether it exists or not. */
const REMOVAL = `add table ${TABLE}\ndelete table ${TABLE}\n`

const consoleSet = (ports: readonly number[]) =>
  ports.length > 0 ? `elements = { ${[...new Set(ports)].join(', ')} }` : ''

/**
 * Traffic that is accepted in every mode. Packets of TCP that do not begin a connection pass whether the kernel has
 * tracked their connection or not: it may be older than the table. ICMP includes neighbour discovery and path MTU,
 * IGMP keeps multicast groups, DHCP addresses of this machine and of the clients of its hotspot. nft itself knows
 * these names of protocols; others, such as ipv6-icmp, are in /etc/protocols, which a minimal Debian does not have.
 */
const ALWAYS_OPEN = `    ct state { established, related } accept
    tcp flags & (syn | ack) != syn accept
    meta l4proto { icmp, icmpv6, igmp } accept
    udp dport { 67, 68, 546, 547 } accept
    tcp dport @console accept`

/**
 * Answers to searches of this machine with SSDP, WS-Discovery and multicast DNS (hub/devices/discovery). Each question
 * goes to a group, and each answer comes from the address of a machine, so the kernel does not track the two as one
 * connection. A question therefore opens the port that it came from, on the interface that it left through, for as long
 * as a search listens. Answers of multicast DNS come from its port (RFC 6762, 6).
 */
const QUESTIONS = `  set questions {
    type ifname . inet_service
    flags dynamic, timeout
    size 256
    timeout 6s
  }
  chain output {
    type filter hook output priority filter; policy accept;
    ip daddr 239.255.255.250 udp dport { 1900, 3702 } update @questions { oifname . udp sport }
    ip daddr 224.0.0.251 udp dport 5353 udp sport 5353 update @questions { oifname . udp sport }
  }`
const ANSWERS = `    udp dport != 5353 iifname . udp dport @questions accept
    udp dport 5353 udp sport 5353 iifname . udp dport @questions accept`

/** The text of the table for nft; without a table all ports are open. */
export function tableText({ mode, ranges }: Pick<OpenPorts, 'mode' | 'ranges'>, console: readonly number[]): string {
  if (mode === 1) return REMOVAL
  const rules = mode === -1 ? ranges.map(ruleOf) : []
  return `${REMOVAL}table ${TABLE} {
  set console {
    type inet_service
    ${consoleSet(console)}
  }
${QUESTIONS}
  chain input {
    type filter hook input priority filter; policy accept;
    iifname "lo" accept
${[...rules, ALWAYS_OPEN, ANSWERS].join('\n')}
    meta l4proto { tcp, udp, udplite, sctp, dccp } counter drop comment "refused"
  }
}
`
}

/**
 * Makes the kernel track connections without blocking anything, so that those over UDP are known when ports are
 * blocked.
 */
export const TRACKING_TEXT = `${REMOVAL}table ${TABLE} {
  chain input {
    type filter hook input priority filter; policy accept;
    ct state established accept
  }
}
`

/** Replaces the ports of the console in a table that exists. */
export function consoleText(ports: readonly number[]): string {
  const add = ports.length > 0 ? `add element ${TABLE} console { ${[...new Set(ports)].join(', ')} }\n` : ''
  return `flush set ${TABLE} console\n${add}`
}

export class NftError extends Error {}

/**
 * Whether a message of nft says that the kernel does not have the table. Some versions append the name of a similar
 * table.
 */
export const isMissingTable = (message: string): boolean => /^Error: No such file or directory($|;)/.test(message)

/** Access to nftables; tests replace it. */
export interface Tables {
  isInstalled(): boolean
  /** Applies a text in one transaction. @throws NftError; nothing is changed then */
  apply(text: string): Promise<void>
  /** Undefined if the kernel does not have the table. @throws NftError if that is unknown */
  read(): Promise<TableReading | undefined>
}

function runNft(args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: TIMEOUT, maxBuffer: OUTPUT_MAX, env: {}, killSignal: 'SIGKILL' } as const
    const child = execFile(NFT, args, options, (error, stdout, stderr) => {
      if (error) reject(new NftError(stderr.trim().split('\n')[0]?.slice(0, 200) || String(error.code)))
      else resolve(stdout)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

interface JsonRule {
  rule?: { comment?: string; expr?: { counter?: { packets: number; bytes: number } }[] }
}

/** The counters in the output of `nft --json list table`, by the comments of their rules. */
export function parseReading(text: string): TableReading {
  const { nftables = [] } = JSON.parse(text) as { nftables?: JsonRule[] }
  const counts = nftables.flatMap(({ rule }): [string, Count][] => {
    const counter = rule?.expr?.find((each) => each.counter)?.counter
    return rule?.comment !== undefined && counter ? [[rule.comment, [counter.packets, counter.bytes]]] : []
  })
  return { counts: new Map(counts) }
}

export const kernelTables: Tables = {
  isInstalled: () => existsSync(NFT),
  apply: async (text) => void (await runNft(['--file', '-'], text)),
  async read() {
    try {
      return parseReading(await runNft(['--json', 'list', 'table', 'inet', 'headend']))
    } catch (error) {
      if (error instanceof NftError && isMissingTable(error.message)) return undefined
      throw error
    }
  }
}
