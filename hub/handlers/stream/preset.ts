// Handlers for presets of destinations.
import { NOT_EXIST, TOO_MANY } from '../../../contract/codes.ts'
import { PRIVATE_OUTPUT_SETTINGS } from '../../../contract/stream/output-settings.schema.ts'
import {
  addPreset,
  deletePreset,
  listPresets,
  type OutputPreset,
  PRESETS_MAX,
  type PresetFields,
  setPreset
} from '../../../contract/stream/preset.ts'
import { CallError, type Context, type Handler, handle, handleChange } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { requireFreeName } from '../free-name.ts'
import { compareText } from '../list.ts'
import { deletionBy, markTrashChanged } from '../trashed.ts'

/** The id of a new preset. That of a deleted one stays free, because it can be restored. */
export function nextPresetId({ settings, trash }: Pick<Store, 'settings' | 'trash'>): number {
  const trashed = trash.all().flatMap(({ kind, object_id: id }) => (kind === 'preset' ? id : []))
  return Math.max(0, ...trashed, ...settings.get('output-presets').map(({ id }) => id)) + 1
}

/** The settings without secrets. */
function withoutSecrets({ name, protocol, config }: PresetFields): PresetFields {
  const open = Object.entries(config).filter(([field]) => !PRIVATE_OUTPUT_SETTINGS.includes(field))
  const withoutLogin = open.map(([field, value]) => [
    field,
    typeof value === 'string' ? value.replace(/^([a-z]+:\/\/)[^/]*@/i, '$1') : value
  ])
  return { name, protocol, config: Object.fromEntries(withoutLogin) }
}

export function presetHandlers({ store }: { store: Store }): Handler[] {
  const { settings } = store
  const presets = () => settings.get('output-presets')

  function save(context: Context, next: readonly OutputPreset[]): void {
    settings.set('output-presets', [...next])
    context.afterCommit(() => store.changes.markChanged('source'))
  }

  /** @throws CallError 16 */
  function requirePreset(context: Context, id: number): OutputPreset {
    context.objects.push(`preset:${id}`)
    const preset = presets().find((each) => each.id === id)
    if (!preset) throw new CallError(NOT_EXIST)
    return preset
  }

  return [
    handle(listPresets, () => {
      const list = presets().toSorted((a, b) => compareText(a.name, b.name))
      return { start: 0, total: list.length, list }
    }),
    handleChange(addPreset, (context, request) => {
      context.detail = request.name
      requireFreeName(presets(), request.name)
      if (presets().length >= PRESETS_MAX) throw new CallError(TOO_MANY, { max: PRESETS_MAX })
      const id = nextPresetId(store)
      context.objects.push(`preset:${id}`)
      save(context, [...presets(), { id, ...withoutSecrets(request) }])
      return { id }
    }),
    handleChange(setPreset, (context, request) => {
      const { id } = requirePreset(context, request.id)
      context.detail = request.name
      requireFreeName(presets(), request.name, request.id)
      save(
        context,
        presets().map((preset) => (preset.id === id ? { id, ...withoutSecrets(request) } : preset))
      )
      return {}
    }),
    handleChange(deletePreset, (context, request) => {
      const preset = requirePreset(context, request.id)
      const { id, name } = preset
      context.detail = name
      const trash = [store.trash.putPreset(preset, deletionBy(context))]
      save(
        context,
        presets().filter((preset) => preset.id !== id)
      )
      markTrashChanged({ store }, context)
      return { trash }
    })
  ]
}
