// Selects the input of a channel: a device, an existing input, a new input, or none.
import { findFamily } from '../../../contract/device/products.ts'
import { PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import { type AddInputRequest, addInput, type InputSource } from '../../../contract/stream/source.ts'
import { SelectField } from '../../form/select-field.tsx'
import type { FieldBinding } from '../../form/use-form.ts'
import { CallButton } from '../../parts/actions.tsx'
import { INPUT_FORM } from '../../parts/source/input-form.ts'
import { SourceDialog } from '../../parts/source/source-dialog.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { $inputs } from '../../state/sources.ts'
import { locale, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './dialog-text.ts'
import { $inputDevices } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

interface InputFieldProps extends FieldBinding<string> {
  /** Node IDs that are not offered. */
  exclude?: readonly number[]
}

/** Lists accepted devices that can be an input, and the stored inputs. The value is a node ID as text; '' = none. */
export function InputField({ exclude = [], ...binding }: InputFieldProps) {
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
  const openAddInput = () =>
    openDialog(SourceDialog<InputSource, AddInputRequest>, {
      schema: INPUT_FORM,
      submitLabel: t(CHANNEL_TEXT.addInput),
      save: async (request, mutateOptions) => {
        const reply = await sendMutation(addInput, request, mutateOptions)
        if (reply.id) binding.onValueChange(String(reply.id))
        return reply
      }
    })
  return (
    <>
      <SelectField
        {...binding}
        label={t(TEXT.existing)}
        placeholder={t(CHANNEL_TEXT.none)}
        options={options.sort((a, b) => a.label.localeCompare(b.label, locale()))}
      />
      <CallButton call={addInput} icon="plus" label={t(CHANNEL_TEXT.addInput)} onClick={openAddInput} />
    </>
  )
}
