// Which port of this machine belongs to what of the hub, so that nothing is given one that something else has, be it open now or with the
// next channel that starts. UDP or TCP, so that nobody has to know which.
import type { PortHolder } from '../../../contract/call.ts'
import { PORT_OCCUPIED } from '../../../contract/codes.ts'
import { holds, INPUT_OUTPUT_VIEW } from '../../../contract/permissions.ts'
import { multicastAddress } from '../../../contract/rules/network.ts'
import { RTP, UDP } from '../../../contract/stream/protocols.ts'
import { isFault, parseSourceUrl } from '../../../contract/stream/source-url.ts'
import type { Hub } from '../../context.ts'
import { type Context, Refusal, signedIn } from '../../http/handler.ts'
import { portOf } from './output-config.ts'

/** What an input is bound to. */
interface Bound {
  ports: readonly number[]
  /** It has joined a group: others may have joined one at the same port. */
  group: boolean
}

/** Who asks for a port: what it has itself is free. Of an input all that have its URL, which one may be saved under several names. */
export type Asker =
  | { kind: 'srt' | 'rtmp' | 'forward' }
  | { kind: 'output'; id: number | undefined }
  | { kind: 'input'; id: number | undefined; url: string }

/** The ports of this machine that a source is received at; undefined where the hub calls it. */
export function boundOf(url: string): Bound | undefined {
  const parsed = parseSourceUrl(url)
  if (isFault(parsed)) return undefined
  const { protocol, port, srt, host } = parsed
  if (srt) return srt.mode === 'listener' ? { ports: [port], group: false } : undefined
  const group = multicastAddress(host) === undefined
  if (protocol === UDP) return { ports: [port], group }
  // The next one is that of RTCP.
  return protocol === RTP ? { ports: [port, port + 1], group } : undefined
}

function holderOf(
  { ownPorts, sharedPort, forwards, pages, store }: Hub,
  port: number,
  asker: Asker
): PortHolder | undefined {
  for (const part of ['srt', 'rtmp'] as const) if (asker.kind !== part && sharedPort(part) === port) return { of: part }
  const [web, links] = ownPorts()
  if (port === web) return { of: 'web' }
  if (port === links) return { of: 'links' }
  if ([...forwards.ports(), ...pages.ports()].includes(port)) return { of: 'forward' }
  const output = store.sources
    .outputs()
    .find((row) => !(asker.kind === 'output' && row.id === asker.id) && portOf(row)?.port === port)
  if (output) return { of: 'output', name: output.name }
  const group = asker.kind === 'input' && (boundOf(asker.url)?.group ?? false)
  const input = store.sources.inputs().find((row) => {
    if (asker.kind === 'input' && (row.id === asker.id || row.url === asker.url)) return false
    const bound = boundOf(row.url)
    return bound?.ports.includes(port) && !(group && bound.group)
  })
  return input && { of: 'input', name: input.name }
}

/**
 * @param field of the request that says the port
 * @throws Refusal 1007 with the port and who has it, whose name is for those who may see it
 */
export function demandFreePorts(
  hub: Hub,
  context: Context,
  ports: readonly number[],
  field: string,
  asker: Asker
): void {
  for (const port of ports) {
    const holder = holderOf(hub, port, asker)
    if (!holder) continue
    const known = holder.name === undefined || holds(signedIn(context).user.permission, INPUT_OUTPUT_VIEW)
    throw new Refusal(PORT_OCCUPIED, { field, port, ...(known && { holder }) })
  }
}
