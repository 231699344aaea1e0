// Duplicating a channel: the copy has the settings and inputs of the original, keys of its own, and is stopped.
import { NAME_MAX } from '../../../contract/limits.ts'
import { lengthInUnits } from '../../../contract/rules/rules.ts'
import { duplicateChannel, type LeftOut } from '../../../contract/stream/channel-actions.ts'
import { HTTP } from '../../../contract/stream/protocols.ts'
import type { Gate } from '../../auth/gate.ts'
import { type Context, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import { type Language, type Translation, translate } from '../../messages/language.ts'
import { type ChannelRow, channelSettings, newChannelKeys, newStreamKey } from '../../store/channels.ts'
import type { OutputRow } from '../../store/sources.ts'
import type { Store } from '../../store/store.ts'
import { enforceLicense } from '../license-limits.ts'
import { listenPort, outputTarget } from '../stream/output-config.ts'
import { applyAfterCommit, markSourcesChanged, requireChannel } from './changes.ts'
import { includeCreator } from './security.ts'

interface ChannelDuplicateParts {
  store: Store
  gate: Gate
  applyChannel: (id: number) => Promise<void>
}

const COPY: Translation = ['{0} copy', '{0} 副本']

/** A name for a copy that is not taken: 'News copy', 'News copy 2'. The original's name is shortened if it must be. */
function nameOfCopy(language: Language, name: string, isTaken: (name: string) => boolean): string {
  for (let count = 1; ; count++) {
    let base = name
    const format = () => translate(language, COPY, [base.trim()]) + (count > 1 ? ` ${count}` : '')
    while (lengthInUnits(format()) > NAME_MAX) base = [...base].slice(0, -1).join('')
    if (!isTaken(format())) return format()
  }
}

/** The inputs that the caller may use in another channel: the others are devices that the caller may not see. */
function isUsable({ store, gate }: { store: Store; gate: Gate }, context: Context, id: number): boolean {
  const device = store.devices.byId(id)
  return !device || gate.canSeeDevice(requireCaller(context), device)
}

function copyInputs(parts: { store: Store; gate: Gate }, context: Context, row: ChannelRow, id: number): LeftOut[] {
  const { channels } = parts.store
  const backups = channels.backupIds(row.id)
  const all = row.input_id === null ? backups : [row.input_id, ...backups]
  if (row.input_id !== null && isUsable(parts, context, row.input_id)) channels.setInput(id, row.input_id)
  channels.setBackups(
    id,
    backups.filter((backup) => isUsable(parts, context, backup))
  )
  return all.filter((input) => !isUsable(parts, context, input)).map(() => ({ name: '', why: 'hidden' }))
}

/** Why an output cannot exist twice; undefined if it can. A key is not a reason, because the copy gets a new one. */
function collisionOf(output: OutputRow): LeftOut['why'] | undefined {
  if (listenPort(output)) return 'port'
  return output.protocol !== HTTP && outputTarget(output) ? 'target' : undefined
}

function copyOutputs(parts: { store: Store; gate: Gate }, context: Context, row: ChannelRow, id: number): LeftOut[] {
  const { language } = context
  const { channels, sources, devices } = parts.store
  const leftOut: LeftOut[] = []
  for (const outputId of channels.outputIds(row.id)) {
    const output = sources.output(outputId)
    if (!output) continue
    const why = collisionOf(output)
    if (why) {
      leftOut.push({ name: output.name, why })
      continue
    }
    const name = nameOfCopy(language, output.name, (taken) => sources.outputByName(taken) !== undefined)
    const config = { ...output.config, ...('key' in output.config && { key: newStreamKey('HLS') }) }
    const copy = sources.addOutput(name, output.protocol, config)
    channels.addOutput(id, copy)
    if (output.enable === 0) channels.setOutputEnable(id, copy, false)
  }
  for (const { id: player } of channels.deviceOutputs(row.id)) {
    const name = isUsable(parts, context, player) ? devices.byId(player)?.name : undefined
    leftOut.push({ name: name ?? '', why: 'device' })
  }
  return leftOut
}

export function handleDuplicateChannel(parts: ChannelDuplicateParts): Handler {
  const { store } = parts
  const { channels } = store
  return handleChange(duplicateChannel, (context, request) => {
    const row = requireChannel(parts, context, request.id)
    const name = nameOfCopy(context.language, row.name, (taken) => channels.byName(taken) !== undefined)
    context.detail = `${row.name} → ${name}`
    const settings = channelSettings(row)
    const keys = newChannelKeys()
    return enforceLicense(store, () => {
      const id = channels.add(name, keys)
      context.objects.push(`channel:${id}`)
      const visibility = store.channelVisibility.byId(row.id)
      store.channelVisibility.set(id, visibility.is_inherit === 1, {
        'group-mask': visibility.group_mask,
        'usr-mask': visibility.usr_mask
      })
      includeCreator(parts, context, id)
      // A copy must not go on air by itself.
      const schedule = { zone: settings.schedule.zone, rules: [] }
      channels.setSettings(id, { ...settings, ...keys, schedule })
      const leftOut = [...copyInputs(parts, context, row, id), ...copyOutputs(parts, context, row, id)]
      applyAfterCommit(parts, context, id)
      markSourcesChanged(parts, context)
      return { id, name, 'left-out': leftOut }
    })
  })
}
