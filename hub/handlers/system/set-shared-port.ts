// Changes of the shared SRT and RTMP ports: the parts `srt` and `rtmp` of the settings. An open port moves at once and
// waits for its confirmation; a closed one only has a new setting.
import { OBJECT_BUSY, PORT_OCCUPIED, WRONG_STATE } from '../../../contract/codes.ts'
import { RTMP, SRT } from '../../../contract/stream/protocols.ts'
import { PORT_CONFIRM_TIME } from '../../../contract/web/ports.ts'
import type { TrialStart } from '../../../contract/web/settings.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { SharedPortName, SharedPorts } from '../../channels/shared-ports.ts'
import { wantedChannel } from '../../channels/wanted.ts'
import { CallError, type Context } from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { findProgram, isPortFree } from '../../machine/port-program.ts'
import type { Store } from '../../store/store.ts'
import type { PortsInUse } from '../stream/ports-in-use.ts'
import { channelNames, visibleOwners } from '../stream/source-checks.ts'

export interface SetSharedPortParts {
  store: Store
  gate: Gate
  engine: EngineClient
  webPorts: WebPorts
  host: string
  sharedPorts: SharedPorts
  portsInUse: PortsInUse
}

const TRANSPORTS = { srt: { layer: 'udp', protocol: SRT }, rtmp: { layer: 'tcp', protocol: RTMP } } as const

/** The channels whose clients, or device that sends over RTMP, a moved port disconnects. */
function channelsAt({ store, engine }: { store: Store; engine: EngineClient }, name: SharedPortName) {
  const { protocol } = TRANSPORTS[name]
  return store.channels.all().filter(({ id, enable }) => {
    if (enable !== 1) return false
    const { clients = [] } = engine.observe(id)
    if (clients.some((client) => client.protocol === protocol && client.outputId === undefined)) return true
    const input = name === 'rtmp' ? wantedChannel(store, id)?.input : undefined
    return input?.kind === 'device' && input.push?.protocol === RTMP
  })
}

/**
 * Checks a new port.
 * @returns whether the port moves at once, on trial
 * @throws CallError 1007 if it is in use, 38 while another port is on trial, 1005 with the channels that it disconnects
 */
export async function prepareSharedPort(
  parts: SetSharedPortParts,
  context: Context,
  name: SharedPortName,
  { port, force = false }: { port: number; force?: boolean | undefined }
): Promise<boolean> {
  const open = parts.engine.observePorts()[name].port
  const current = [parts.store.settings.get(name).port, open]
  const field = `${name}.port`
  if (!current.includes(port)) parts.portsInUse.requireFree(context, [port], field, { kind: name })
  if (open === undefined || open === port) return false
  if (parts.webPorts.isTrying() || parts.sharedPorts.trial.observe())
    throw new CallError(WRONG_STATE, { fault: 'trial-open', field })
  const { layer } = TRANSPORTS[name]
  if (!(await isPortFree(layer, port, parts.host)))
    throw new CallError(PORT_OCCUPIED, { field, port, holder: findProgram(layer, port) })
  const users = channelsAt(parts, name)
  if (force || users.length === 0) return true
  const { channels } = visibleOwners(parts, context, users)
  throw new CallError(OBJECT_BUSY, {
    'owner-i': channelNames(channels),
    ...(channels.length < users.length && { 'owner-hidden': true })
  })
}

/** Moves a prepared port, once the response to the request is on its way. */
export function startSharedTrial(
  { sharedPorts }: { sharedPorts: SharedPorts },
  context: Context,
  name: SharedPortName,
  port: number
): TrialStart {
  context.afterCommit(() => sharedPorts.trial.start(name, port))
  return { port, 'confirm-within-s': PORT_CONFIRM_TIME }
}
