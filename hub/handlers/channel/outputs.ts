// Outputs of a channel: adding, removing, switching on and off.
import { NOT_EXIST, TOO_MANY, WRONG_STATE } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { CHANNEL_OUTPUTS_MAX } from '../../../contract/limits.ts'
import { LOG_OFF, LOG_ON } from '../../../contract/log.ts'
import { addChannelOutputs, deleteChannelOutputs, enableChannelOutputs } from '../../../contract/stream/channel.ts'
import { DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import { type ChannelRow, channelSetting } from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'
import { enforceLicense } from '../license-limits.ts'
import { requireNdiName } from '../ndi-names.ts'
import { channelInputHosts, outputHost, requireOtherHosts } from '../stream/same-host.ts'
import { applyAfterCommit, markDevicesChanged, markSourcesChanged, requireChannel } from './changes.ts'

interface ChannelOutputsParts {
  store: Store
  gate: Gate
  engine: EngineClient
  applyChannel: (id: number) => Promise<void>
}

/** An output that no channel has yet. */
interface FreeOutput {
  name: string
  /** The host to which it sends, if it does. */
  host: string | undefined
  addTo(channel: number): void
}

/**
 * Finds an output, or an accepted device that can play, which the caller sees and no channel has yet.
 * @param id node id
 * @throws CallError 16 if there is none, 38 if a channel has it already
 */
function findFreeOutput({ store, gate }: { store: Store; gate: Gate }, context: Context, id: number): FreeOutput {
  const { channels, sources, devices } = store
  const device = devices.byId(id)
  const visible = device && gate.canSeeDevice(requireCaller(context), device) ? device : undefined
  context.objects.push(visible ? `device:${visible.sn}` : `output:${id}`)
  const canPlay = visible?.reg_state === REGISTRATION_STATE.accepted && (visible.dir & DIR_OUTPUT) !== 0
  const stored = sources.output(id)
  const output = stored && gate.sourcesVisibleTo(requireCaller(context))(id) ? stored : undefined
  const target = output ?? (canPlay ? visible : undefined)
  if (!target) throw new CallError(NOT_EXIST, { field: 'outputs' })
  const isTaken = output ? output.channel_id !== null : channels.deviceOutputOf(id) !== undefined
  if (isTaken) throw new CallError(WRONG_STATE, { field: 'outputs' })
  return {
    name: target.name,
    host: output ? outputHost(output) : device?.sn,
    addTo: (channel) => (output ? channels.addOutput(channel, id) : channels.addDeviceOutput(channel, id))
  }
}

/**
 * Names of a channel's outputs in the operation log. A name may be a device's, so the line is marked as being about
 * that device.
 */
function outputNames(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  row: ChannelRow,
  ids: readonly number[]
): string {
  return ids
    .map((id) => {
      const device = store.devices.byId(id)
      // The caller can read the line, so a device that the caller may not see is logged by id.
      if (device && !gate.canSeeDevice(requireCaller(context), device)) return id
      if (device) context.objects.push(`device:${device.sn}`)
      return (store.sources.output(id) ?? device)?.name ?? (id === row.id ? 'NDI' : id)
    })
    .join(', ')
}

export function handleAddChannelOutputs(parts: ChannelOutputsParts): Handler {
  const { store } = parts
  const { channels } = store
  return handleChange(addChannelOutputs, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    context.detail = row.name
    const count = channels.outputIds(row.id).length + channels.deviceOutputs(row.id).length
    const outputs = [...new Set(request.outputs)].map((id) => findFreeOutput(parts, context, id))
    if (count + outputs.length > CHANNEL_OUTPUTS_MAX)
      throw new CallError(TOO_MANY, { max: CHANNEL_OUTPUTS_MAX, of: 'server' })
    const hosts = outputs.map(({ host }) => host)
    requireOtherHosts(channelInputHosts(parts, row.id), hosts, 'outputs', request.force)
    enforceLicense(store, () => {
      for (const output of outputs) output.addTo(row.id)
    })
    context.detail = `${row.name}: ${outputs.map((output) => output.name).join(', ')}`
    applyAfterCommit(parts, context, row.id)
    markSourcesChanged(parts, context)
    markDevicesChanged(parts, context, request.outputs)
    return {}
  })
}

export function handleEnableChannelOutputs(parts: ChannelOutputsParts): Handler {
  const { store } = parts
  const { channels } = store
  return handleChange(enableChannelOutputs, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    const ids = [...new Set(request.outputs)]
    context.detail = `${row.name}: ${outputNames(parts, context, row, ids)} ${request.enable ? LOG_ON : LOG_OFF}`
    enforceLicense(store, () => {
      for (const id of ids) {
        const ndi = id === row.id && channelSetting(row, 'ndi')
        if (ndi) {
          if (request.enable) requireNdiName(parts, row.name)
          channels.setSettings(id, { ndi: { ...ndi, enable: request.enable } })
          continue
        }
        context.objects.push(`output:${id}`)
        if (!channels.setOutputEnable(row.id, id, request.enable)) throw new CallError(NOT_EXIST, { field: 'outputs' })
      }
    })
    applyAfterCommit(parts, context, row.id)
    return {}
  })
}

export function handleDeleteChannelOutputs(parts: ChannelOutputsParts): Handler {
  const { store } = parts
  const { channels } = store
  return handleChange(deleteChannelOutputs, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    const ids = [...new Set(request.outputs)]
    context.detail = `${row.name}: ${outputNames(parts, context, row, ids)}`
    for (const id of ids) {
      if (id === row.id && row.ndi) {
        channels.setSettings(id, { ndi: undefined })
        continue
      }
      context.objects.push(`output:${id}`)
      if (!channels.removeOutput(row.id, id)) throw new CallError(NOT_EXIST, { field: 'outputs' })
    }
    applyAfterCommit(parts, context, row.id)
    markSourcesChanged(parts, context)
    markDevicesChanged(parts, context, ids)
    return {}
  })
}
