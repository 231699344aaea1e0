// Input and output of a channel must not use the same host, because a stream that is sent back to where it comes from
// can form a loop. A relay on one host is legitimate, so `force` overrides. Loopback addresses are this machine, where
// other programs may send and receive. A device that is ordered to send and to receive stands for its host with its
// serial number.
import { OBJECT_BUSY } from '../../../contract/codes.ts'
import { parseNdiUrl } from '../../../contract/ndi/url.ts'
import { notSameHost } from '../../../contract/rules/compare.ts'
import type { TypedOutput } from '../../../contract/stream/source.ts'
import { isFault, parseSourceUrl } from '../../../contract/stream/source-url.ts'
import { sourceHost, targetHost } from '../../../contract/stream/stream-hosts.ts'
import { CallError } from '../../http/handler.ts'
import type { OutputRow } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

/** The host from which an input with this URL is fetched; undefined if there is none. */
export function inputHost(url: string): string | undefined {
  const parsed = parseSourceUrl(url)
  if (!isFault(parsed)) return sourceHost({ kind: 'url', url: parsed })
  const ndi = parseNdiUrl(url)
  return 'fault' in ndi ? undefined : sourceHost({ kind: 'ndi', source: ndi })
}

/** The host to which an output sends; undefined if there is none. */
export const outputHost = (row: Pick<OutputRow, 'protocol' | 'config'>): string | undefined =>
  targetHost(row as TypedOutput)

/** The host of an input or a device by its ID; undefined if there is none. */
export const hostOfInput = ({ store }: { store: Store }, id: number): string | undefined =>
  store.devices.byId(id)?.sn ?? inputHost(store.sources.input(id)?.url ?? '')

/** Hosts of the input and the backups of a channel. */
export const channelInputHosts = (parts: { store: Store }, channel: number): string[] =>
  parts.store.channels.inputIds(channel).flatMap((id) => hostOfInput(parts, id) ?? [])

/** Hosts to which the outputs of a channel send. */
export const channelOutputHosts = ({ store }: { store: Store }, channel: number): string[] => [
  ...store.channels.outputIds(channel).flatMap((id) => {
    const row = store.sources.output(id)
    return (row && outputHost(row)) ?? []
  }),
  ...store.channels.deviceOutputs(channel).flatMap(({ id }) => store.devices.byId(id)?.sn ?? [])
]

/**
 * @param field of the request with the input or output that changes
 * @param force of the request
 * @throws CallError 1005 with the first host that is both that of an input and of an output, unless forced
 */
export function requireOtherHosts(
  inputs: readonly (string | undefined)[],
  outputs: readonly (string | undefined)[],
  field: string,
  force: boolean | undefined
): void {
  if (force) return
  const isSame = notSameHost('input')
  for (const input of inputs)
    for (const output of outputs)
      if (input && output && !isLoopback(output) && isSame(output, { input }))
        throw new CallError(OBJECT_BUSY, { field, 'same-host': output })
}
