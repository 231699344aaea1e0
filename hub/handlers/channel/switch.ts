// Switching by an operator: puts an input or the slate on air, whatever the failover rule would choose.
import { NOT_EXIST, WRONG_STATE } from '../../../contract/codes.ts'
import { LOG_NONE } from '../../../contract/log.ts'
import { switchChannelInput } from '../../../contract/stream/channel-actions.ts'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import { type ChannelRow, channelSetting } from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'
import { applyAfterCommit, requireChannel } from './changes.ts'

interface ChannelSwitchParts {
  store: Store
  gate: Gate
  engine: EngineClient
  applyChannel: (id: number) => Promise<void>
}

/** Whether a channel has an input, as its main one or as a backup; 0: its own stream key, if it has no main input. */
export const hasInput = ({ channels }: Store, row: ChannelRow, input: number): boolean =>
  input === (row.input_id ?? 0) || channels.backupIds(row.id).includes(input)

/** @throws CallError 16 if it is no input of the channel, 38 if it has no media */
function requireMedia(
  { store, engine }: { store: Store; engine: Pick<EngineClient, 'observe'> },
  row: ChannelRow,
  input: number
): void {
  const observed = engine.observe(row.id)
  if (!hasInput(store, row, input)) throw new CallError(NOT_EXIST, { field: 'input' })
  const leg = input === (row.input_id ?? 0) ? observed.input : observed.backups?.get(input)
  if (leg?.connState !== CONNECTION_STATE.connected)
    throw new CallError(WRONG_STATE, { field: 'input', 'switch-fault': 'no-media' })
}

/**
 * Name of an input in the operation log. The caller can read the line, so a device that the caller may not see is
 * logged by id.
 */
function inputName(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  row: ChannelRow,
  id: number
): string {
  const device = store.devices.byId(id)
  if (device && !gate.canSeeDevice(requireCaller(context), device)) return String(id)
  if (device) context.objects.push(`device:${device.sn}`)
  return (device ?? store.sources.input(id) ?? row).name
}

/**
 * Stores what an operator puts on air; `auto`: the failover rule chooses again.
 * @throws CallError 16, 38
 */
export function holdInput(
  parts: { store: Store; engine: Pick<EngineClient, 'observe'> },
  row: ChannelRow,
  input: number | 'slate' | 'auto'
): void {
  const { channels } = parts.store
  if (input === 'auto') {
    channels.setHold(row.id)
    return
  }
  if (!row.enable) throw new CallError(WRONG_STATE, { field: 'input', 'switch-fault': 'stopped' })
  if (input !== 'slate') requireMedia(parts, row, input)
  else if (!channelSetting(row, 'slate'))
    throw new CallError(WRONG_STATE, { field: 'input', 'switch-fault': 'no-slate' })
  channels.setHold(row.id, { input, version: Date.now() })
}

export function handleSwitchChannelInput(parts: ChannelSwitchParts): Handler {
  return handleChange(switchChannelInput, (context, { id, input }) => {
    const row = requireChannel(parts, context, id)
    const name = typeof input === 'number' ? inputName(parts, context, row, input) : input
    context.detail = input === 'auto' ? `${row.name} ${LOG_NONE}` : `${row.name}: ${name}`
    holdInput(parts, row, input)
    applyAfterCommit(parts, context, id)
    return {}
  })
}
