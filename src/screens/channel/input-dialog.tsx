import type { Envelope } from '../../../contract/call.ts'
import type { Rule } from '../../../contract/rules/rules.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Translation, t } from '../../text/language.ts'
import { InputField } from './input-field.tsx'
import * as TEXT from './text.ts'

interface InputDialogProps {
  channel: Channel
  verb: Translation
  /** Node ID that is selected when the dialog opens. */
  initialInput?: number
  rule?: Rule
  /** Node IDs that are not offered. */
  exclude?: readonly number[]
  /** @param node node ID of the selected input; 0 = none */
  save: (node: number) => Promise<Envelope>
  onClose: (succeeded?: boolean) => void
}

/** Selects an input of a channel: the main one or a backup. */
export function InputDialog({ channel, verb, initialInput, rule, exclude, save, onClose }: InputDialogProps) {
  const form = useForm({ node: rule }, { node: String(initialInput || '') }, ({ node }) => save(Number(node)), {
    fieldOfWireName: { input: 'node', 'config.backups': 'node' },
    onSuccess: () => onClose(true)
  })
  return (
    <FormDialog form={form} title={t(TEXT.of, t(verb), channel.name)} submitLabel={t(verb)} onClose={onClose}>
      <InputField {...form.field('node')} exclude={exclude} />
    </FormDialog>
  )
}
