import type { Channel } from '../../../contract/channel.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { INPUT_DEVICE } from '../../../contract/protocols.ts'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { choiceOf, INPUT_OPTIONS, INPUT_RULES, InputFields, type InputValues, NO_INPUT } from './input-fields.tsx'
import { chooseInput } from './store.ts'
import { TEXT } from './text.ts'

export function InputDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const send = async (values: InputValues) => {
    const reply = await chooseInput(channel.id, choiceOf(values))
    if (reply.result === SUCCESS) onClose()
    return reply
  }
  const form = useForm<InputValues>(INPUT_RULES, valuesOf(channel), send, INPUT_OPTIONS)
  return (
    <Dialog
      title={t(TEXT.setInputOf, channel.name)}
      onClose={onClose}
      onSubmit={form.submit}
      footer={<Button submit kind="main" label={t(TEXT.setInput)} busy={form.busy} />}
    >
      <InputFields form={form} />
    </Dialog>
  )
}

/** The present input, chosen. */
function valuesOf({ input }: Channel): InputValues {
  if (!input) return NO_INPUT
  return input.type === INPUT_DEVICE
    ? { ...NO_INPUT, device: String(input.id) }
    : { ...NO_INPUT, kind: 'existing', existing: String(input.id) }
}
