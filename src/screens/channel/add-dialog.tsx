import { useEffect } from 'react'
import { NAME_EXISTS, PORT_OCCUPIED, SUCCESS } from '../../../contract/codes.ts'
import { port, type RuleSet, streamName } from '../../../contract/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { showTip } from '../../state/tip.ts'
import { tell } from '../../state/toasts.ts'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { choiceOf, INPUT_RULES, InputFields, type InputValues, NO_INPUT } from './input-fields.tsx'
import { createChannel, freePort } from './store.ts'
import { TEXT } from './text.ts'

interface Values extends InputValues {
  name: string
  withOutput: boolean
  port: string
}

const RULES: RuleSet<Values> = {
  ...INPUT_RULES,
  name: streamName,
  port: (value, { withOutput }) => (withOutput ? port(value) : undefined)
}

const OPTIONS = {
  fields: { 'config.url': 'url', 'config.bind-port': 'port' },
  codes: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'port' }
} as const

/** A new channel with its input, and on request with an SRT output to begin with. */
export function ChannelDialog({ onClose }: { onClose: () => void }) {
  const send = async (values: Values) => {
    const { name, withOutput } = values
    const reply = await createChannel({
      name,
      input: choiceOf(values),
      port: withOutput ? Number(values.port) : undefined
    })
    if (reply.added) onClose()
    if (reply.result === SUCCESS) tell(SUCCESS)
    else if (reply.added) showTip({ title: name, text: t(TEXT.partlyAdded, codeText(reply.result)) })
    else if (!form.takes(reply)) tell(reply.result)
    return reply.added ? undefined : reply
  }
  const form = useForm<Values>(RULES, { ...NO_INPUT, name: '', withOutput: true, port: '' }, send, OPTIONS)
  useEffect(() => {
    void freePort().then((free) => form.set({ port: String(free) }))
  }, [])
  return (
    <FormDialog form={form} title={t(TEXT.add)} verb={t(TEXT.add)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      <InputFields form={form} />
      <SwitchField {...form.field('withOutput')} label={t(TEXT.withOutput)} />
      {form.values.withOutput && <NumberField {...form.field('port')} label={t(TEXT.port)} hint={t(TEXT.portHint)} />}
    </FormDialog>
  )
}
