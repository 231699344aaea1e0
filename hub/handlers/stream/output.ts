// Handlers for outputs.
import { ALREADY_EXISTS, OBJECT_BUSY, PLAY_KEY_EXISTS, PORT_OCCUPIED } from '../../../contract/codes.ts'
import { DIR_OUTPUT, NDI, OUTPUT_CUSTOM, RTMP } from '../../../contract/stream/protocols.ts'
import {
  type AddOutputRequest,
  addOutput,
  deleteOutputs,
  listOutputs,
  type Output,
  proposePort,
  setOutput
} from '../../../contract/stream/source.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { ChannelRow } from '../../store/channels.ts'
import type { OutputRow } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'
import { enforceLicense } from '../license-limits.ts'
import { requireNdiName } from '../ndi-names.ts'
import { tagFields } from '../tag-fields.ts'
import { deletionBy, markTrashChanged } from '../trashed.ts'
import {
  listenPort,
  outputAddress,
  outputTarget,
  playbackKeys,
  playbackPort,
  redactConfig,
  toStoredConfig
} from './output-config.ts'
import type { PortsInUse } from './ports-in-use.ts'
import { channelInputHosts, outputHost, requireOtherHosts } from './same-host.ts'
import {
  addCreator,
  applyChannels,
  canEdit,
  channelNames,
  requireAllowedHost,
  requireFreeName,
  requireSource,
  visibleOwners
} from './source-checks.ts'
import { listSources } from './source-list.ts'

interface StreamOutputParts {
  store: Store
  gate: Gate
  engine: EngineClient
  portsInUse: PortsInUse
  applyChannel: (id: number) => Promise<void>
}

/** The channel that has an output, in an array; empty if none has it. */
function ownersOf({ store }: { store: Store }, { channel_id: id }: OutputRow): ChannelRow[] {
  const channel = id === null ? undefined : store.channels.byId(id)
  return channel ? [channel] : []
}

function serializeOutput(parts: StreamOutputParts, context: Context, row: OutputRow): Output {
  const { channels, hasHidden } = visibleOwners(parts, context, ownersOf(parts, row))
  const [channel] = channels
  return {
    id: row.id,
    name: row.name,
    ...tagFields(parts.store, 'source', row.id),
    dir: DIR_OUTPUT,
    type: OUTPUT_CUSTOM,
    protocol: row.protocol,
    config: redactConfig(row, canEdit(context)),
    addr: outputAddress(parts, row),
    ...(channel && { 'owner-o': channel.name, 'owner-o-d': channel.id }),
    ...(hasHidden && { 'owner-hidden': true })
  }
}

/**
 * Two outputs with the same target would mix their streams, or disconnect each other.
 * @throws CallError 41 if another output has the target, with its name and its channel if the caller may see them
 */
export function requireFreeTarget(
  parts: Pick<StreamOutputParts, 'store' | 'gate'>,
  context: Context,
  row: Pick<OutputRow, 'protocol' | 'config'>,
  id: number | undefined
): void {
  const target = outputTarget(row)
  if (!target) return
  const others = parts.store.sources.outputs().filter((other) => other.id !== id)
  const holder = others.find((other) => outputTarget(other)?.target === target.target)
  if (!holder) return
  const isVisible = parts.gate.sourcesVisibleTo(requireCaller(context))(holder.id)
  const channels = isVisible ? channelNames(visibleOwners(parts, context, ownersOf(parts, holder)).channels) : []
  throw new CallError(ALREADY_EXISTS, {
    field: target.field,
    exists: 'server',
    ...(isVisible && { holder: { of: 'output', name: holder.name } }),
    ...(channels.length > 0 && { 'owner-o': channels })
  })
}

/**
 * A stream key cannot equal another one at the same port, or that of a channel. Keys that the output has already are
 * not checked.
 * @throws CallError 1001 with the field of the first key that another output or a channel has, or the output twice
 */
function requireFreeKeys(
  { store }: { store: Store },
  row: Pick<OutputRow, 'protocol' | 'config'>,
  previous?: OutputRow
): void {
  const stored = previous ? playbackKeys(previous).map(({ key }) => key) : []
  const port = playbackPort(row)
  const others = store.sources.outputs().filter((other) => other.id !== previous?.id && playbackPort(other) === port)
  const inUse = new Set(others.flatMap(playbackKeys).map(({ key }) => key))
  const own: string[] = []
  for (const { key, field } of playbackKeys(row)) {
    const isTaken = !stored.includes(key) && (inUse.has(key) || store.channels.byKey(key) !== undefined)
    if (isTaken || own.includes(key)) throw new CallError(PLAY_KEY_EXISTS, { field })
    own.push(key)
  }
}

/** The field of an output's configuration with its host. */
export const hostField = (protocol: number) => (protocol === RTMP ? 'config.url' : 'config.dst-ip')

/**
 * Checks an output, and returns its configuration as it is stored.
 * @param previous the existing output that is changed
 * @throws CallError if the name, port, target or key is in use, a field is missing, or the host is forbidden
 */
function validateOutput(
  parts: StreamOutputParts,
  context: Context,
  request: AddOutputRequest,
  previous?: OutputRow
): OutputRow['config'] {
  requireFreeName(parts.store.sources.outputByName(request.name), previous?.id)
  if (request.protocol === NDI) requireNdiName(parts, request.name)
  const config = toStoredConfig(request, previous)
  const row = { protocol: request.protocol, config }
  const listen = listenPort(row)
  // An output may keep its port, even if the port has been taken by something else since.
  const keepsPort = previous && listenPort(previous)?.port === listen?.port
  if (listen && !keepsPort)
    parts.portsInUse.requireFree(context, [listen.port], listen.field, { kind: 'output', id: previous?.id })
  requireFreeTarget(parts, context, row, previous?.id)
  requireFreeKeys(parts, row, previous)
  requireAllowedHost(parts, outputHost(row), hostField(request.protocol))
  return config
}

function handleListOutputs(parts: StreamOutputParts): Handler {
  return handle(listOutputs, (context, request) =>
    listSources(parts, context, request, parts.store.sources.outputs(), (row) => serializeOutput(parts, context, row))
  )
}

function handleProposePort({ portsInUse }: { portsInUse: PortsInUse }): Handler {
  return handle(proposePort, async () => {
    const port = await portsInUse.findFree()
    if (port === undefined) throw new CallError(PORT_OCCUPIED)
    return { port }
  })
}

function handleAddOutput(parts: StreamOutputParts): Handler {
  const { sources } = parts.store
  return handleChange(addOutput, (context, request) => {
    context.detail = request.name
    const id = sources.addOutput(request.name, request.protocol, validateOutput(parts, context, request))
    addCreator(parts, context, id)
    context.objects.push(`output:${id}`)
    applyChannels(parts, context, [])
    return { id }
  })
}

function handleSetOutput(parts: StreamOutputParts): Handler {
  const { store } = parts
  const { sources } = store
  return handleChange(setOutput, (context, request) => {
    const row = requireSource(parts, context, 'output', request.id, sources.output(request.id))
    context.detail = request.name
    const config = validateOutput(parts, context, request, row)
    const host = outputHost({ protocol: request.protocol, config })
    if (row.channel_id !== null && host !== outputHost(row))
      requireOtherHosts(channelInputHosts(parts, row.channel_id), [host], hostField(request.protocol), request.force)
    enforceLicense(store, () => sources.setOutput(request.id, request.name, request.protocol, config))
    applyChannels(parts, context, row.channel_id === null ? [] : [row.channel_id])
    return {}
  })
}

function handleDeleteOutputs(parts: StreamOutputParts): Handler {
  const { sources } = parts.store
  return handleChange(deleteOutputs, (context, request) => {
    const ids = [...new Set([request.id].flat())]
    const rows = ids.map((id) => requireSource(parts, context, 'output', id, sources.output(id)))
    context.detail = rows.map((row) => row.name).join(', ')
    const channelIds = rows.map((row) => row.channel_id).filter((id) => id !== null)
    if (channelIds.length > 0 && !request.force) {
      const owners = visibleOwners(
        parts,
        context,
        rows.flatMap((row) => ownersOf(parts, row))
      )
      throw new CallError(OBJECT_BUSY, {
        ...(owners.mayView && { 'owner-o': channelNames(owners.channels) }),
        ...(owners.hasHidden && { 'owner-hidden': true })
      })
    }
    const deletion = deletionBy(context)
    const trash = rows.map((row) => parts.store.trash.putOutput(row.id, deletion))
    for (const row of rows) sources.removeOutput(row.id)
    applyChannels(parts, context, channelIds)
    markTrashChanged(parts, context)
    return { trash }
  })
}

export function outputHandlers(parts: StreamOutputParts): Handler[] {
  return [
    handleListOutputs(parts),
    handleProposePort(parts),
    handleAddOutput(parts),
    handleSetOutput(parts),
    handleDeleteOutputs(parts)
  ]
}
