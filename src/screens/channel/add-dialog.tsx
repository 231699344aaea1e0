import { useEffect } from 'react'
import { NAME_EXISTS, PORT_OCCUPIED } from '../../../contract/codes.ts'
import { optional, port, type RuleSet, streamName } from '../../../contract/rules/rules.ts'
import { FormDialog } from '../../form/form-dialog.tsx'
import { NumberField } from '../../form/number-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { freePort } from '../../state/sources.ts'
import { t } from '../../text/language.ts'
import { InputField } from './input-field.tsx'
import { createChannel } from './store.ts'
import { TEXT } from './text.ts'

const RULES: RuleSet<{ name: string; node: string; port: string }> = { name: streamName, port: optional(port) }

const OPTIONS = {
  fields: { 'config.bind-port': 'port', input: 'node' },
  codes: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'port' }
} as const

/** A new channel with its input, and on request with an SRT output to begin with. */
export function ChannelDialog({ onClose }: { onClose: () => void }) {
  const first = {
    name: '',
    node: '',
    /** Of an SRT listener to begin with; empty = none. */
    port: ''
  }
  const form = useForm(RULES, first, ({ name, node, port: own }) => createChannel(name, Number(node), Number(own)), {
    ...OPTIONS,
    done: onClose
  })
  useEffect(() => {
    void freePort().then((free) => form.set({ port: String(free) }))
  }, [])
  return (
    <FormDialog form={form} verb={t(TEXT.add)} onClose={onClose}>
      <TextField {...form.field('name')} label={t(TEXT.name)} autoFocus />
      <InputField {...form.field('node')} />
      <NumberField {...form.field('port')} label={t(TEXT.outputPort)} hint={t(TEXT.optional)} />
    </FormDialog>
  )
}
