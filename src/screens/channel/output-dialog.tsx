// A new output of a channel. Its fields are data: which kinds have them, their rule, and their name on the wire.
import { useEffect } from 'react'
import type { Channel } from '../../../contract/channel.ts'
import { NAME_EXISTS, PORT_OCCUPIED } from '../../../contract/codes.ts'
import { LATENCY_DEFAULT } from '../../../contract/limits.ts'
import { RTMP, SRT } from '../../../contract/protocols.ts'
import {
  type Fault,
  host,
  latency,
  passphrase,
  port,
  type RuleSet,
  sourceForm,
  streamId,
  streamKey,
  streamName
} from '../../../contract/rules.ts'
import { ChoiceField } from '../../form/choice-field.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { type Pair, t } from '../../text/language.ts'
import { freePort, giveOutput } from './store.ts'
import { TEXT } from './text.ts'

/** Fields by their names on the wire, all as text; `kind` and `name` besides. */
type Values = Record<'kind' | 'name' | 'enc' | (typeof FIELDS)[number]['wire'], string>

interface Field {
  wire: string
  title: Pair
  hint?: Pair
  /** The kinds of output that have it. */
  kinds: string
  rule: (value: string) => Fault | undefined
  number?: true
  secret?: true
}

const rtmpUrl = (value: string): Fault | undefined =>
  sourceForm(value) ?? (/^rtmps?:/i.test(value) ? undefined : { name: 'scheme' })

const FIELDS = [
  { wire: 'bind-port', title: TEXT.port, hint: TEXT.portHint, kinds: 'listener', rule: port, number: true },
  { wire: 'dst-ip', title: TEXT.address, kinds: 'caller', rule: host },
  { wire: 'dst-port', title: TEXT.port, kinds: 'caller', rule: port, number: true },
  { wire: 'url', title: TEXT.address, kinds: 'rtmp', rule: rtmpUrl },
  { wire: 'key', title: TEXT.key, kinds: 'rtmp', rule: streamKey, secret: true },
  { wire: 'stream-id', title: TEXT.streamId, kinds: 'listener caller', rule: streamId },
  { wire: 'latency', title: TEXT.latency, kinds: 'listener caller', rule: latency, number: true },
  { wire: 'passphrase', title: TEXT.passphrase, kinds: 'encrypted', rule: passphrase, secret: true }
] as const satisfies readonly Field[]

/** The fields there are for what was chosen. */
function fieldsOf({ kind, enc }: Values): Field[] {
  const encrypted = kind !== 'rtmp' && enc !== 'disable'
  return FIELDS.filter(({ kinds }) => kinds.includes(kind) || (encrypted && kinds === 'encrypted'))
}

const RULES: RuleSet<Values> = {
  name: streamName,
  ...Object.fromEntries(
    FIELDS.map((field) => [
      field.wire,
      (value: string, all: Values) => (fieldsOf(all).includes(field) ? field.rule(value) : undefined)
    ])
  )
}

const OPTIONS = {
  fields: Object.fromEntries(FIELDS.map(({ wire }) => [`config.${wire}`, wire])),
  codes: { [NAME_EXISTS]: 'name', [PORT_OCCUPIED]: 'bind-port' }
} as const

/** The wire form. Fields that are empty or of another kind stay away. */
function configOf(values: Values): object {
  const filled = fieldsOf(values).filter(({ wire }) => values[wire as keyof Values])
  const fields = filled.map(({ wire, number }) => {
    const value = values[wire as keyof Values]
    return [wire, number ? Number(value) : value]
  })
  const { kind: mode, enc } = values
  return { ...Object.fromEntries(fields), ...(mode !== 'rtmp' && { mode, enc }) }
}

const EMPTY = Object.fromEntries(FIELDS.map(({ wire }) => [wire, ''])) as Values

export function OutputDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const send = (values: Values) => {
    const protocol = values.kind === 'rtmp' ? RTMP : SRT
    return giveOutput(channel.id, { name: values.name, protocol, config: configOf(values) as never })
  }
  const name = `${channel.name} ${channel.outputs.total + 1}`
  const first = { ...EMPTY, kind: 'listener', name, latency: String(LATENCY_DEFAULT), enc: 'disable' }
  const form = useForm<Values>(RULES, first, send, { ...OPTIONS, done: onClose })
  useEffect(() => {
    void freePort().then((free) => form.set({ 'bind-port': String(free) }))
  }, [])
  return (
    <FormDialog
      form={form}
      title={t(TEXT.of, t(TEXT.addOutput), channel.name)}
      verb={t(TEXT.addOutput)}
      onClose={onClose}
    >
      <ChoiceField
        {...form.field('kind')}
        label={t(TEXT.kind)}
        options={[
          { value: 'listener', label: t(TEXT.srtListener) },
          { value: 'caller', label: t(TEXT.srtCaller) },
          { value: 'rtmp', label: t(TEXT.rtmpPush) }
        ]}
      />
      <TextField {...form.field('name')} label={t(TEXT.name)} />
      {form.values.kind !== 'rtmp' && (
        <SelectField
          {...form.field('enc')}
          label={t(TEXT.encryption)}
          options={[
            { value: 'disable', label: t(TEXT.none) },
            ...['128', '192', '256'].map((bits) => ({ value: `aes-${bits}`, label: `AES-${bits}` }))
          ]}
        />
      )}
      {fieldsOf(form.values).map(({ wire, title, hint, number, secret }) => (
        <TextField
          key={wire}
          {...form.field(wire as keyof Values)}
          label={t(title)}
          hint={hint && t(hint)}
          digits={number}
          secret={secret}
        />
      ))}
    </FormDialog>
  )
}
