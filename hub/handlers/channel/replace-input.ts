// Another input in place of one, in all channels that use it: a broken encoder is replaced at once.
import { NOT_EXIST } from '../../../contract/codes.ts'
import { replaceInput } from '../../../contract/stream/channel.ts'
import { CallError, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import { enforceLicense } from '../license-limits.ts'
import { applyAfterCommit, markSourcesChanged } from './changes.ts'
import { type ChannelSettingsParts, inputName, requireInput, requireOtherHost } from './settings.ts'

/**
 * Changes the channels that the caller sees; in each of them the new input takes the place of the former one, as main
 * input or among the backups, which contain it once at most.
 */
export function handleReplaceInput(parts: ChannelSettingsParts): Handler {
  const { store, gate } = parts
  return handleChange(replaceInput, (context, { from, input, force }) => {
    const isVisible = gate.channelsVisibleTo(requireCaller(context))
    const rows = store.channels.byInput(from).filter(({ id }) => isVisible(id))
    const former = inputName(parts, context, from)
    if (rows.length === 0) throw new CallError(NOT_EXIST, { field: 'from' })
    context.objects.push(...rows.map(({ id }) => `channel:${id}`))
    requireInput(parts, context, input, 'input')
    context.detail = `${former} → ${inputName(parts, context, input)}: ${rows.map(({ name }) => name).join(', ')}`
    for (const row of rows) requireOtherHost(parts, row, [input], 'input', force)
    enforceLicense(store, () => {
      for (const { id, input_id: main } of rows) {
        const newMain = main === from ? input : main
        const backups = store.channels.backupIds(id).map((backup) => (backup === from ? input : backup))
        store.channels.setInput(id, newMain)
        store.channels.setBackups(
          id,
          [...new Set(backups)].filter((backup) => backup !== newMain)
        )
      }
    })
    for (const { id } of rows) applyAfterCommit(parts, context, id)
    markSourcesChanged(parts, context)
    return { channels: rows.length }
  })
}
