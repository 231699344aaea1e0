import type { Envelope } from '../../../contract/call.ts'
import { type Rule, required } from '../../../contract/rules/rules.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Translation, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { InputField } from './input-field.tsx'
import { changeInput, setBackups } from './store.ts'
import { TEXT } from './text.ts'

interface InputDialogProps {
  channel: Channel
  verb: Translation
  /** Node ID that is selected when the dialog opens. */
  initialInput?: number
  rule?: Rule
  /** @param node node ID of the selected input; 0 = none */
  save: (node: number) => Promise<Envelope>
  onClose: (succeeded?: boolean) => void
}

function InputDialog({ channel, verb, initialInput, rule, save, onClose }: InputDialogProps) {
  const form = useForm({ node: rule }, { node: String(initialInput || '') }, ({ node }) => save(Number(node)), {
    fieldOfWireName: { input: 'node', 'config.backups': 'node' },
    onSuccess: () => onClose(true)
  })
  return (
    <FormDialog form={form} title={t(TEXT.of, t(verb), channel.name)} submitLabel={t(verb)} onClose={onClose}>
      <InputField {...form.field('node')} />
    </FormDialog>
  )
}

export const openInputDialog = (channel: Channel) =>
  openDialog(InputDialog, {
    channel,
    verb: TEXT.setInput,
    // An input that the user may not see cannot be selected either.
    initialInput: channel.input?.hidden ? 0 : channel.input?.id,
    save: (node) => changeInput(channel.id, node)
  })

export const openBackupDialog = (channel: Channel) =>
  openDialog(InputDialog, {
    channel,
    verb: TEXT.addBackup,
    rule: required,
    save: (node) => setBackups(channel, [...(channel.config.backups ?? []), node])
  })
