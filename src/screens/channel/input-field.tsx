// Selects the input of a channel: a device, an existing input, a new input, or none.
import { findFamily } from '../../../contract/device/products.ts'
import { NDI, PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { addInput } from '../../../contract/stream/source.ts'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { CallButton } from '../../parts/actions.tsx'
import { INPUT_FORM } from '../../parts/source/input-form.ts'
import { proposeAlias } from '../../parts/source/ndi-alias.ts'
import { openSourceDialog } from '../../parts/source/source-dialog.tsx'
import type { SourceValues } from '../../parts/source/source-form.ts'
import { $inputDevices } from '../../state/channel-devices.ts'
import { sendMutation } from '../../state/mutations.ts'
import { $inputs, $ndiSources } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { sortRows } from '../../ui/table/sorting.ts'
import { useStore } from '../../ui/use-store.ts'
import { INPUT_KIND_NAMES, TEXT } from './dialog-text.ts'
import * as CHANNEL_TEXT from './text.ts'

/** Begins the value of a source that discovery has found; its NDI name follows. */
const FOUND = 'ndi:'

/** What an input takes its stream from. */
export type InputKind = 'device' | 'ndi' | 'address'

interface InputFieldProps extends FieldBinding<string> {
  /** Only inputs of this kind are offered. Default: all. */
  kind?: InputKind
  /** Node IDs that are not offered. */
  exclude?: readonly number[]
  /** Label of the option without an input. */
  placeholder?: string
}

/** Lists accepted devices that can be an input, and the stored inputs. The value is a node ID as text; '' = none. */
export function InputField({ kind, exclude = [], placeholder = t(CHANNEL_TEXT.none), ...binding }: InputFieldProps) {
  const isOffered = ({ id }: { id: number }) => !exclude.includes(id)
  const isOfKind = (each: InputKind) => kind === undefined || kind === each
  const devices = useStore($inputDevices).items.filter(isOffered)
  const sources = useStore($inputs).items.filter(isOffered)
  const deviceOptions = devices.map((device) => ({
    value: String(device.id),
    label: `${findFamily(device.module)?.name ?? device['module-name']} · ${device.name}${device['online-date'] > 0 ? '' : ` (${t(TEXT.offline)})`}`
  }))
  const sourceOptions = sources
    // An input that the user has just added is offered, even if it is of another kind.
    .filter(({ id, protocol }) => isOfKind(protocol === NDI ? 'ndi' : 'address') || String(id) === binding.value)
    .map(({ id, name, protocol }) => ({ value: String(id), label: `${PROTOCOL_NAMES[protocol]} · ${name}` }))
  const options = [...(isOfKind('device') ? deviceOptions : []), ...sourceOptions]
  const found = useStore($ndiSources).items.filter(({ presets }) => presets.length === 0)
  const foundOptions = (isOfKind('ndi') ? found : []).map(({ name }) => ({
    value: FOUND + name,
    label: t(TEXT.found, name)
  }))
  const openAddInput = (proposed?: SourceValues, name?: string) =>
    openSourceDialog(INPUT_FORM, {
      proposed,
      ...(name && { nameFor: () => name }),
      save: async (request, mutateOptions) => {
        const reply = await sendMutation(addInput, request, mutateOptions)
        if (reply.id) binding.onValueChange(String(reply.id))
        return reply
      }
    })
  // A source that discovery has found becomes an input first.
  const choose = (value: string) => {
    if (!value.startsWith(FOUND)) return binding.onValueChange(value)
    const name = value.slice(FOUND.length)
    void openAddInput(
      { kind: 'ndi', name },
      proposeAlias(
        name,
        sources.map((source) => source.name)
      )
    )
  }
  return (
    <>
      <SelectField
        {...binding}
        label={t(kind ? INPUT_KIND_NAMES[kind] : TEXT.existing)}
        placeholder={placeholder}
        options={[...sortRows(options, ({ label }) => label, 'ascending'), ...foundOptions]}
        onValueChange={choose}
      />
      {kind !== 'device' && (
        <CallButton
          call={addInput}
          icon="plus"
          label={t(CHANNEL_TEXT.addInput)}
          onClick={() => openAddInput(kind === 'ndi' ? { kind } : undefined)}
        />
      )}
    </>
  )
}
