import type { Channel } from '../../../contract/channel.ts'
import { NAME_EXISTS, SUCCESS } from '../../../contract/codes.ts'
import { streamName } from '../../../contract/rules.ts'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { rename } from './store.ts'
import { TEXT } from './text.ts'

export function RenameDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const send = async ({ name }: { name: string }) => {
    const reply = await rename(channel.id, name)
    if (reply.result === SUCCESS) onClose()
    return reply
  }
  const form = useForm({ name: streamName }, { name: channel.name }, send, { codes: { [NAME_EXISTS]: 'name' } })
  return (
    <Dialog
      title={t(TEXT.rename)}
      onClose={onClose}
      onSubmit={form.submit}
      footer={<Button submit kind="main" label={t(TEXT.save)} busy={form.busy} />}
    >
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
    </Dialog>
  )
}
