import type { Channel } from '../../../contract/channel.ts'
import { NAME_EXISTS } from '../../../contract/codes.ts'
import { streamName } from '../../../contract/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { rename } from './store.ts'
import { TEXT } from './text.ts'

export function RenameDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const form = useForm({ name: streamName }, { name: channel.name }, ({ name }) => rename(channel.id, name), {
    codes: { [NAME_EXISTS]: 'name' },
    done: onClose
  })
  return (
    <FormDialog form={form} title={t(TEXT.edit)} verb={t(TEXT.save)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
    </FormDialog>
  )
}
