import type { Channel } from '../../../contract/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { InputField } from './input-field.tsx'
import { chooseInput } from './store.ts'
import { TEXT } from './text.ts'

export function InputDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  // One that may not be seen may not be chosen either.
  const first = { node: String((!channel.input?.hidden && channel.input?.id) || '') }
  const form = useForm({}, first, ({ node }) => chooseInput(channel.id, Number(node)), {
    fields: { input: 'node' },
    done: onClose
  })
  return (
    <FormDialog
      form={form}
      title={t(TEXT.of, t(TEXT.setInput), channel.name)}
      verb={t(TEXT.setInput)}
      onClose={onClose}
    >
      <InputField {...form.field('node')} />
    </FormDialog>
  )
}
