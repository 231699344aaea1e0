// Requests of a client, read from the blocks that it sends. A block has the same form as the status block that it asks
// to change; without lines it asks the server to send that status block.
import type { Take } from '../../contract/ndi/router.ts'
import type { Block } from './block-parser.ts'

/** Status blocks that a client may ask for. */
export const STATUS_BLOCKS = [
  'PROTOCOL PREAMBLE',
  'VIDEOHUB DEVICE',
  'INPUT LABELS',
  'OUTPUT LABELS',
  'VIDEO OUTPUT LOCKS',
  'VIDEO OUTPUT ROUTING',
  'CONFIGURATION'
] as const

export type StatusBlock = (typeof STATUS_BLOCKS)[number]

/** O: lock; U: unlock; F: unlock although another client has locked the output. */
export type LockRequest = 'O' | 'U' | 'F'

/** Indexes are those of the protocol, from 0. */
export type VideohubRequest =
  | { kind: 'ping' }
  | { kind: 'status'; block: StatusBlock }
  | { kind: 'route'; routes: ReadonlyMap<number, number> }
  | { kind: 'lock'; locks: ReadonlyMap<number, LockRequest> }
  | { kind: 'label'; side: 'sources' | 'destinations'; labels: ReadonlyMap<number, string> }
  | { kind: 'name'; name: string }
  | { kind: 'configuration'; takeMode: boolean }

const isStatusBlock = (header: string): header is StatusBlock => (STATUS_BLOCKS as readonly string[]).includes(header)

/** Returns undefined if the block is not a request. */
export function parseRequest({ header, lines }: Block): VideohubRequest | undefined {
  if (header === undefined) return undefined
  if (header === 'PING') return lines.length === 0 ? { kind: 'ping' } : undefined
  if (lines.length === 0) return isStatusBlock(header) ? { kind: 'status', block: header } : undefined
  switch (header) {
    case 'VIDEO OUTPUT ROUTING': {
      const routes = parseItems(lines, (value) => (/^\d{1,4}$/.test(value) ? Number(value) : undefined))
      return routes && { kind: 'route', routes }
    }
    case 'VIDEO OUTPUT LOCKS': {
      const locks = parseItems(lines, (value) => (/^[OUF]$/.test(value) ? (value as LockRequest) : undefined))
      return locks && { kind: 'lock', locks }
    }
    case 'INPUT LABELS':
    case 'OUTPUT LABELS': {
      const labels = parseItems(lines, (value) => value)
      return labels && { kind: 'label', side: header === 'INPUT LABELS' ? 'sources' : 'destinations', labels }
    }
    case 'VIDEOHUB DEVICE': {
      const name = parseSetting(lines, 'Friendly name')
      return name === undefined ? undefined : { kind: 'name', name }
    }
    case 'CONFIGURATION': {
      const takeMode = parseSetting(lines, 'Take Mode')
      return takeMode === 'true' || takeMode === 'false'
        ? { kind: 'configuration', takeMode: takeMode === 'true' }
        : undefined
    }
    default:
      return undefined
  }
}

/** The value of the one setting of a block. Returns undefined if the block has others, or none. */
function parseSetting(lines: readonly string[], name: string): string | undefined {
  const [line = ''] = lines
  return lines.length === 1 && line.startsWith(`${name}:`) ? line.slice(name.length + 1).trim() : undefined
}

/**
 * Parses lines of an index and a value; of several lines of an index the last one counts. Returns undefined if one is
 * not valid.
 */
function parseItems<Value>(
  lines: readonly string[],
  parseValue: (text: string) => Value | undefined
): Map<number, Value> | undefined {
  const items = new Map<number, Value>()
  for (const line of lines) {
    const [, index, text = ''] = /^(\d{1,4})(?: (.*))?$/s.exec(line) ?? []
    const value = index === undefined ? undefined : parseValue(text.trim())
    if (index === undefined || value === undefined) return undefined
    items.set(Number(index), value)
  }
  return items
}

/** Takes of the router for routes of the protocol. @param noneInput the input that stands for no source */
export function takesOf(routes: ReadonlyMap<number, number>, noneInput: number): Take[] {
  return [...routes].map(([output, input]) => ({
    destination: output + 1,
    source: input === noneInput ? 0 : input + 1
  }))
}
