import { useEffect } from 'react'
import { NAME_EXISTS, PORT_OCCUPIED } from '../../../contract/codes.ts'
import { optional, port, type RuleSet, streamName } from '../../../contract/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { t } from '../../text/language.ts'
import { INPUT_OPTIONS, INPUT_RULES, InputFields, NO_INPUT } from './input-fields.tsx'
import { createChannel, freePort, type InputValues } from './store.ts'
import { TEXT } from './text.ts'

interface Values extends InputValues {
  name: string
  /** Of an SRT listener to begin with; empty = none. */
  port: string
}

const RULES: RuleSet<Values> = {
  ...INPUT_RULES,
  name: streamName,
  port: optional(port)
}

const OPTIONS = {
  fields: { ...INPUT_OPTIONS.fields, 'config.bind-port': 'port' },
  codes: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'port' }
} as const

/** A new channel with its input, and on request with an SRT output to begin with. */
export function ChannelDialog({ onClose }: { onClose: () => void }) {
  const send = (values: Values) => createChannel(values.name, values, Number(values.port))
  const form = useForm<Values>(RULES, { ...NO_INPUT, name: '', port: '' }, send, { ...OPTIONS, done: onClose })
  useEffect(() => {
    void freePort().then((free) => form.set({ port: String(free) }))
  }, [])
  return (
    <FormDialog form={form} title={t(TEXT.add)} verb={t(TEXT.add)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      <InputFields form={form} />
      <NumberField {...form.field('port')} label={t(TEXT.outputPort)} hint={t(TEXT.optional)} />
    </FormDialog>
  )
}
