// Choosing a channel's input: a device of the fleet, an input that exists or a new one, or nothing yet.
import { FAMILY_NAMES } from '../../../contract/device/products.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { type AddInputRequest, addInput, type InputSource } from '../../../contract/stream/source.ts'
import { SelectField } from '../../form/select-field.tsx'
import type { Bound } from '../../form/use-form.ts'
import { ActButton } from '../../parts/actions.tsx'
import { SourceDialog } from '../../parts/source-dialog.tsx'
import { INPUT } from '../../parts/source-fields.ts'
import { $inputs } from '../../state/sources.ts'
import { change } from '../../state/toasts.ts'
import { locale, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $inputDevices } from './store.ts'
import { TEXT } from './text.ts'

/** The accepted devices that can send, by family, and the inputs that are saved. Its value is a node's id as text; '' for none. */
export function InputField(bound: Bound<string>) {
  const devices = useStore($inputDevices)
  const sources = useStore($inputs).items
  const options = [
    ...devices.items.map((device) => ({
      value: String(device.id),
      label: `${FAMILY_NAMES[device.module]} · ${device.name}${device['online-date'] > 0 ? '' : ` (${t(TEXT.offline)})`}`
    })),
    ...sources.map(({ id, name, protocol }) => ({ value: String(id), label: `${PROTOCOL_NAMES[protocol]} · ${name}` }))
  ]
  const add = () =>
    openDialog(SourceDialog<InputSource, AddInputRequest>, {
      side: INPUT,
      verb: t(TEXT.addInput),
      save: async (request, quiet) => {
        const answer = await change(addInput, request, quiet)
        if (answer.id) bound.onValue(String(answer.id))
        return answer
      }
    })
  return (
    <>
      <SelectField
        {...bound}
        label={t(TEXT.existing)}
        placeholder={t(TEXT.none)}
        options={options.sort((a, b) => a.label.localeCompare(b.label, locale()))}
      />
      <ActButton call={addInput} icon="plus" label={t(TEXT.addInput)} onAct={add} />
    </>
  )
}
