import { useEffect } from 'react'
import { NAME_EXISTS, PORT_OCCUPIED } from '../../../contract/codes.ts'
import { channelName, optional, port, type RuleSet } from '../../../contract/rules/rules.ts'
import { proposePort } from '../../../contract/stream/source.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { send } from '../../link/send.ts'
import { t } from '../../text/language.ts'
import { TEXT } from './dialog-text.ts'
import { InputField } from './input-field.tsx'
import { createChannel } from './store.ts'
import * as CHANNEL_TEXT from './text.ts'

const RULES: RuleSet<{ name: string; node: string; port: string }> = { name: channelName, port: optional(port) }

/** Adds a channel with its input, and optionally with an SRT output. */
export function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const initial = {
    name: '',
    node: '',
    /** Port of the SRT listener; empty = no output. */
    port: ''
  }
  const form = useForm(
    RULES,
    initial,
    (values) => createChannel(values.name, Number(values.node), Number(values.port)),
    {
      fieldOfWireName: { 'config.bind-port': 'port', input: 'node' },
      fieldOfCode: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'port' },
      onSuccess: onClose
    }
  )
  useEffect(() => {
    void send(proposePort, {}).then(({ port }) => port && form.setValues({ port: String(port) }))
  }, [])
  return (
    <FormDialog form={form} submitLabel={t(CHANNEL_TEXT.add)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(CHANNEL_TEXT.name)} autoFocus />
      <InputField {...form.field('node')} />
      <NumberField {...form.field('port')} label={t(TEXT.outputPort)} hint={t(TEXT.optional)} />
    </FormDialog>
  )
}
