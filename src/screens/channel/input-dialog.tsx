import type { Envelope } from '../../../contract/call.ts'
import { type Rule, required } from '../../../contract/rules/rules.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Pair, t } from '../../text/language.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { InputField } from './input-field.tsx'
import { chooseInput, setBackups } from './store.ts'
import { TEXT } from './text.ts'

interface InputDialogProps {
  channel: Channel
  verb: Pair
  /** What is chosen at first. */
  first?: number
  rule?: Rule
  /** @param node its id; 0 = none */
  save: (node: number) => Promise<Envelope>
  onClose: (well?: boolean) => void
}

function InputDialog({ channel, verb, first, rule, save, onClose }: InputDialogProps) {
  const form = useForm({ node: rule }, { node: String(first || '') }, ({ node }) => save(Number(node)), {
    fields: { input: 'node', 'config.backups': 'node' },
    done: () => onClose(true)
  })
  return (
    <FormDialog form={form} title={t(TEXT.of, t(verb), channel.name)} verb={t(verb)} onClose={onClose}>
      <InputField {...form.field('node')} />
    </FormDialog>
  )
}

export const changeInput = (channel: Channel) =>
  openDialog(InputDialog, {
    channel,
    verb: TEXT.setInput,
    // One that may not be seen may not be chosen either.
    first: channel.input?.hidden ? 0 : channel.input?.id,
    save: (node) => chooseInput(channel.id, node)
  })

export const addBackup = (channel: Channel) =>
  openDialog(InputDialog, {
    channel,
    verb: TEXT.addBackup,
    rule: required,
    save: (node) => setBackups(channel, [...(channel.config.backups ?? []), node])
  })
