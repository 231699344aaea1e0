import type { Channel } from '../../../contract/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { INPUT_OPTIONS, INPUT_RULES, InputFields, NO_INPUT } from './input-fields.tsx'
import { chooseInput, type InputValues } from './store.ts'
import { TEXT } from './text.ts'

export function InputDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const send = (values: InputValues) => chooseInput(channel.id, values)
  // One that may not be seen may not be chosen either.
  const node = channel.input?.hidden ? undefined : channel.input?.id
  const form = useForm(INPUT_RULES, { ...NO_INPUT, node: String(node ?? '') }, send, {
    ...INPUT_OPTIONS,
    done: onClose
  })
  return (
    <FormDialog
      form={form}
      title={t(TEXT.of, t(TEXT.setInput), channel.name)}
      verb={t(TEXT.setInput)}
      onClose={onClose}
    >
      <InputFields form={form} />
    </FormDialog>
  )
}
