// Selects the input of a channel: a device, an existing input, a new input, or none.
import { findFamily } from '../../../contract/device/products.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
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
import { TEXT } from './dialog-text.ts'
import * as CHANNEL_TEXT from './text.ts'

/** Begins the value of a source that discovery has found; its NDI name follows. */
const FOUND = 'ndi:'

interface InputFieldProps extends FieldBinding<string> {
  /** Node IDs that are not offered. */
  exclude?: readonly number[]
  /** Label of the option without an input. */
  placeholder?: string
  hint?: string
}

/** Lists accepted devices that can be an input, and the stored inputs. The value is a node ID as text; '' = none. */
export function InputField({ exclude = [], placeholder = t(CHANNEL_TEXT.none), ...binding }: InputFieldProps) {
  const isOffered = ({ id }: { id: number }) => !exclude.includes(id)
  const devices = useStore($inputDevices).items.filter(isOffered)
  const sources = useStore($inputs).items.filter(isOffered)
  const options = [
    ...devices.map((device) => ({
      value: String(device.id),
      label: `${findFamily(device.module)?.name ?? device['module-name']} · ${device.name}${device['online-date'] > 0 ? '' : ` (${t(TEXT.offline)})`}`
    })),
    ...sources.map(({ id, name, protocol }) => ({ value: String(id), label: `${PROTOCOL_NAMES[protocol]} · ${name}` }))
  ]
  const found = useStore($ndiSources).items.filter(({ presets }) => presets.length === 0)
  const foundOptions = found.map(({ name }) => ({ value: FOUND + name, label: t(TEXT.found, name) }))
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
        label={t(TEXT.existing)}
        placeholder={placeholder}
        options={[...sortRows(options, ({ label }) => label, 'ascending'), ...foundOptions]}
        onValueChange={choose}
      />
      <CallButton call={addInput} icon="plus" label={t(CHANNEL_TEXT.addInput)} onClick={() => openAddInput()} />
    </>
  )
}
