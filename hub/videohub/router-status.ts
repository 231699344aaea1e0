// The status of a matrix as the Videohub Ethernet Protocol describes a router. Indexes are from 0: input 0 is source 1.
// The protocol has no output without an input, so an additional last input stands for no source.
import type { Matrix } from '../../contract/ndi/router.ts'
import type { StatusBlock } from './request.ts'

/** Version of the protocol, the one of current routers. */
const PROTOCOL_VERSION = '2.8'
const MODEL_NAME = 'Headend NDI Router'
/** Label of the input that stands for no source. */
export const NONE_LABEL = 'None'

/** O: locked by clients of the same address; L: locked by others; U: not locked. */
export type LockState = 'O' | 'L' | 'U'

/** The blocks with one line for each input or output. */
export interface PortBlocks {
  'INPUT LABELS': string[]
  'OUTPUT LABELS': string[]
  'VIDEO OUTPUT LOCKS': LockState[]
  'VIDEO OUTPUT ROUTING': number[]
}

export type PortBlock = keyof PortBlocks

/** In the order in which routers send them. */
const PORT_BLOCKS: readonly PortBlock[] = [
  'INPUT LABELS',
  'OUTPUT LABELS',
  'VIDEO OUTPUT LOCKS',
  'VIDEO OUTPUT ROUTING'
]

export interface RouterStatus {
  name: string
  uniqueId: string
  /** Whether clients ask for a confirmation of each route. */
  takeMode: boolean
  ports: PortBlocks
}

/** The input that stands for no source. */
export const noneInputOf = ({ sources }: Pick<Matrix, 'sources'>) => sources.length

/**
 * @param owner name under which the client locks destinations
 * @param uniqueId identifies the matrix to clients
 */
export function statusOf(matrix: Matrix, owner: string, uniqueId: string): RouterStatus {
  const { name, sources, destinations, panel } = matrix
  return {
    name: plainText(name),
    uniqueId,
    takeMode: panel['take-mode'] ?? true,
    ports: {
      'INPUT LABELS': [...sources.map(({ label }) => plainText(label)), NONE_LABEL],
      'OUTPUT LABELS': destinations.map(({ label }) => plainText(label)),
      'VIDEO OUTPUT LOCKS': destinations.map((destination) => {
        const holder = destination['locked-by']
        return holder === undefined ? 'U' : holder === owner ? 'O' : 'L'
      }),
      'VIDEO OUTPUT ROUTING': destinations.map(({ source }) => (source === 0 ? noneInputOf(matrix) : source - 1))
    }
  }
}

/** A text as one line. */
const plainText = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').trim()

const PREAMBLE = formatBlock('PROTOCOL PREAMBLE', [`Version: ${PROTOCOL_VERSION}`])
const END_PRELUDE = formatBlock('END PRELUDE', [])

/** All blocks that a new client gets. */
export function formatPrelude(status: RouterStatus): string {
  return PREAMBLE + formatStatus(status) + formatConfiguration(status) + END_PRELUDE
}

/** One block. */
export function formatStatusBlock(status: RouterStatus, block: StatusBlock): string {
  if (block === 'PROTOCOL PREAMBLE') return PREAMBLE
  if (block === 'CONFIGURATION') return formatConfiguration(status)
  if (block === 'VIDEOHUB DEVICE') return formatDevice(status)
  return formatPorts(block, [...status.ports[block].entries()])
}

/** The items of one block that a client did not get yet, or that it is to get again. */
export type SentPorts = { [Block in PortBlock]: (PortBlocks[Block][number] | undefined)[] }

/**
 * The blocks with the items that changed. All of them, except for the configuration, if the number of inputs or outputs
 * has changed, because then it is another router to clients.
 * @param sent the items that the client has; undefined ones are sent again
 */
export function formatChanges(sent: SentPorts, before: RouterStatus, now: RouterStatus): string {
  const hasChangedSize = PORT_BLOCKS.some((block) => sent[block].length !== now.ports[block].length)
  const configuration = before.takeMode === now.takeMode ? '' : formatConfiguration(now)
  if (hasChangedSize) return formatStatus(now) + configuration
  const device = before.name === now.name ? '' : formatDevice(now)
  return (
    device +
    configuration +
    PORT_BLOCKS.map((block) => {
      const known: readonly unknown[] = sent[block]
      const changed = [...now.ports[block].entries()].filter(([index, value]) => known[index] !== value)
      return changed.length === 0 ? '' : formatPorts(block, changed)
    }).join('')
  )
}

const formatStatus = (status: RouterStatus) =>
  formatDevice(status) + PORT_BLOCKS.map((block) => formatStatusBlock(status, block)).join('')

function formatDevice({ name, uniqueId, ports }: RouterStatus): string {
  return formatBlock('VIDEOHUB DEVICE', [
    'Device present: true',
    `Model name: ${MODEL_NAME}`,
    `Friendly name: ${name}`,
    `Unique ID: ${uniqueId}`,
    `Video inputs: ${ports['INPUT LABELS'].length}`,
    'Video processing units: 0',
    `Video outputs: ${ports['OUTPUT LABELS'].length}`,
    'Video monitoring outputs: 0',
    'Serial ports: 0'
  ])
}

const formatConfiguration = ({ takeMode }: RouterStatus) => formatBlock('CONFIGURATION', [`Take Mode: ${takeMode}`])

const formatPorts = (block: PortBlock, items: readonly (readonly [number, unknown])[]) =>
  formatBlock(
    block,
    items.map(([index, value]) => `${index} ${value}`)
  )

function formatBlock(header: string, lines: readonly string[]): string {
  return `${[`${header}:`, ...lines].join('\n')}\n\n`
}
