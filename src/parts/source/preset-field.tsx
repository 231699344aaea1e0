// Presets of destinations in the form of a new output: those of public services, and those that the hub stores.
import type { Envelope } from '../../../contract/call.ts'
import { streamName } from '../../../contract/rules/rules.ts'
import {
  addPreset,
  deletePreset,
  listPresets,
  type OutputPreset,
  type PresetFields,
  setPreset
} from '../../../contract/stream/preset.ts'
import type { Output } from '../../../contract/stream/source.ts'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { type FailureOptions, sendMutation, undoIfUnchanged } from '../../state/mutations.ts'
import { $presets } from '../../state/sources.ts'
import { deletionOf } from '../../state/trash.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { useStore } from '../../ui/use-store.ts'
import { CallButton } from '../actions.tsx'
import { openNameDialog } from '../device/device-dialogs.tsx'
import { OUTPUT_FORM } from './output-form.ts'
import { SERVICES } from './services.ts'
import type { SourceForm, SourceValues } from './source-form.ts'

const TEXT = {
  destination: ['Destination', '目标'],
  custom: ['Other', '其他'],
  findKey: ['Where is the stream key?', '在哪里查看推流密钥？'],
  savePreset: ['Save as preset', '另存为预设'],
  renamePreset: ['Rename preset', '重命名预设'],
  deletePreset: ['Delete preset', '删除预设']
} as const satisfies Record<string, Translation>

/** Fields of an output that its preset does not have, because they are secret or lists. */
const WITHOUT = ['username', 'stream-id', 'allow-ip']

/** Form of a preset: that of an output without logins and keys. */
export const PRESET_FORM: SourceForm<OutputPreset, PresetFields> = {
  ...OUTPUT_FORM,
  route: 'destinations',
  fields: OUTPUT_FORM.fields.filter(({ wireName, secret }) => !secret && !WITHOUT.includes(wireName)),
  addLabel: ['Add destination', '添加目标'],
  valuesOf: (preset) => OUTPUT_FORM.valuesOf(preset as unknown as Output),
  requestOf(values) {
    const { name, protocol, config } = OUTPUT_FORM.requestOf(values)
    const fields = Object.entries(config).filter(([, value]) => !Array.isArray(value))
    return { name, protocol, config: Object.fromEntries(fields) as OutputPreset['config'] }
  },
  nameRule: streamName,
  add: addPreset,
  set: setPreset
}

/**
 * The values with which a destination fills the form. @param preset the id of a service or of a stored preset; empty
 * for none
 */
export function presetValues(preset: string, presets: readonly OutputPreset[]): SourceValues {
  const { name: title = '', url } = SERVICES.find(({ id }) => id === preset) ?? {}
  const stored = presets.find(({ id }) => String(id) === preset)
  const values = stored
    ? { ...PRESET_FORM.valuesOf(stored), title: stored.name }
    : { title, ...(url && { kind: 'rtmp', url }) }
  return { ...values, preset }
}

interface PresetFieldProps {
  /** The id of a service or of a stored preset, or empty. */
  binding: FieldBinding<string>
  /** Fills the form. `title` is the name of the destination. */
  onChoose: (values: SourceValues) => void
}

export function PresetField({ binding, onChoose }: PresetFieldProps) {
  const presets = useStore($presets).items
  const own = presets.find(({ id }) => String(id) === binding.value)
  const choose = (preset: string) => onChoose(presetValues(preset, presets))
  return (
    <>
      <SelectField
        {...binding}
        label={t(TEXT.destination)}
        placeholder={t(TEXT.custom)}
        options={[...SERVICES, ...presets].map(({ id, name }) => ({ value: String(id), label: name }))}
        onValueChange={choose}
      />
      <KeyPageLink preset={binding.value} />
      {own && <OwnPresetButtons preset={own} onDelete={() => choose('')} />}
    </>
  )
}

/** Leads to the page on which a service shows the stream key. Nothing for other destinations. */
export function KeyPageLink({ preset }: { preset: string }) {
  const service = SERVICES.find(({ id }) => id === preset)
  return (
    service && (
      <div className="field">
        <a href={service.keyPage} target="_blank" rel="noopener noreferrer">
          {t(TEXT.findKey)}
        </a>
      </div>
    )
  )
}

/** @param previous the name before, with which the user can undo it */
function renamePreset(
  preset: OutputPreset,
  name: string,
  options?: FailureOptions,
  previous?: string
): Promise<Envelope> {
  const find = (presets: readonly OutputPreset[]) => presets.find(({ id }) => id === preset.id)
  const undo =
    previous !== undefined &&
    undoIfUnchanged(
      () => send(listPresets, {}),
      ({ list }) => find(list)?.name === name,
      ({ list }) => renamePreset(find(list) ?? preset, previous)
    )
  const success = { text: OUTCOME.saved, names: [name], ...(undo && { undo }) }
  return sendMutation(setPreset, { ...preset, name }, { ...options, success })
}

function OwnPresetButtons({ preset, onDelete }: { preset: OutputPreset; onDelete: () => void }) {
  const { id, name } = preset
  const rename = () =>
    openNameDialog({
      title: t(TEXT.renamePreset),
      name,
      rule: streamName,
      save: (newName, options) => renamePreset(preset, newName, options, name)
    })
  const remove = async () => {
    await sendMutation(deletePreset, { id }, deletionOf([preset]))
    onDelete()
  }
  return (
    <div className="row">
      <CallButton call={setPreset} icon="edit" label={t(TEXT.renamePreset)} onClick={rename} />
      <CallButton call={deletePreset} icon="delete" label={t(TEXT.deletePreset)} onClick={remove} />
    </div>
  )
}

/** Stores the settings of the form on the hub, without its secrets. */
export function SavePresetButton({ values }: { values: SourceValues }) {
  const save = () => {
    const request = PRESET_FORM.requestOf(values)
    return sendMutation(addPreset, request, { success: { text: OUTCOME.saved, names: [request.name] } })
  }
  return (
    <div className="row">
      <CallButton call={addPreset} icon="star" label={t(TEXT.savePreset)} onClick={save} />
    </div>
  )
}

/** The secrets that a preset does not contain, by the kind of the destination. */
const KEY_FIELDS: Readonly<Record<string, readonly string[]>> = { rtmp: ['key'], caller: ['stream-id', 'passphrase'] }

/** The fields for which a form with a preset asks, because the preset has the rest; undefined if it asks for all. */
export const keyFieldsOf = ({ preset, kind = '' }: SourceValues): readonly string[] | undefined =>
  preset ? KEY_FIELDS[kind] : undefined
