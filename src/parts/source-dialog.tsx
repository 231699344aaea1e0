// A new input or output, or one to change: its form is what `source-fields.ts` says of its kind.
import { useEffect } from 'react'
import type { Envelope } from '../../contract/call.ts'
import { NAME_EXISTS } from '../../contract/codes.ts'
import { streamName } from '../../contract/rules/rules.ts'
import { FormDialog } from '../form/form-dialog.tsx'
import { SelectField } from '../form/select-field.tsx'
import { TextField } from '../form/text-field.tsx'
import { type Form, type FormOptions, useForm } from '../form/use-form.ts'
import { freePort } from '../state/sources.ts'
import { type ActOptions, change } from '../state/toasts.ts'
import { type Pair, t } from '../text/language.ts'
import { FOUND_NDI, FoundNdi } from './ndi-source-options.tsx'
import { fieldsOf, INPUT, partsOf, type Side, type Values } from './source-fields.ts'

const TEXT = {
  name: ['Name', '名称'],
  protocol: ['Protocol', '协议'],
  listener: ['SRT listener', 'SRT 监听'],
  caller: ['SRT caller', 'SRT 呼叫']
} as const satisfies Record<string, Pair>

const KINDS: Readonly<Record<string, Pair>> = { listener: TEXT.listener, caller: TEXT.caller }

/** What a kind of input or output is called. */
const kindText = (kind: string) => (KINDS[kind] ? t(KINDS[kind]) : kind.toUpperCase())

interface SourceDialogProps<Saved, Request> {
  side: Side<Saved, Request>
  /** The one to change. */
  saved?: Saved & { id: number; name: string }
  /** What a new one is called at first. */
  name?: string
  /** What its button says, and its title where that is no other: as of `FormDialog`. */
  verb?: string
  title?: string
  /** Where more is done with a new one than to save it. */
  save?: (request: Request, options: ActOptions) => Promise<Envelope>
  onClose: (well?: boolean) => void
}

export function SourceDialog<Saved, Request extends object>(props: SourceDialogProps<Saved, Request>) {
  const { side, saved, name = '', verb, title, onClose } = props
  const { kinds, fields, valuesOf, requestOf } = side
  const {
    save = (request, options) =>
      saved ? change(side.set, { ...request, id: saved.id }, options) : change(side.add, request, options)
  } = props
  const first: Values = {
    title: saved?.name ?? name,
    kind: kinds[0] as string,
    ...Object.fromEntries(fields.map(({ wire, first: value = '' }) => [wire, String(value)])),
    ...(saved && valuesOf(saved))
  }
  const rules = Object.fromEntries(
    fields.map(({ wire }) => [
      wire,
      (value: string, all: Values) =>
        fieldsOf(fields, all)
          .find((field) => field.wire === wire)
          ?.rule?.(value)
    ])
  )
  const options: FormOptions<Values> = {
    fields: {
      name: 'title',
      // That of an input is refused as a whole.
      'config.url': 'host' in first ? 'kind' : 'url'
    },
    codes: { [NAME_EXISTS]: 'title' },
    done: () => onClose(true)
  }
  const form: Form<Values> = useForm(
    { ...rules, title: streamName },
    first,
    (values) => save(requestOf(values), { quiet: form.takes }),
    options
  )
  useEffect(() => {
    if ('bind-port' in first && !first['bind-port'])
      void freePort().then((free) => form.set({ 'bind-port': String(free) }))
  }, [])
  return (
    <FormDialog form={form} title={title} verb={verb} onClose={onClose}>
      <TextField {...form.field('title')} label={t(TEXT.name)} autoFocus />
      <SelectField
        {...form.field('kind')}
        label={t(TEXT.protocol)}
        options={kinds.map((kind) => ({ value: kind, label: kindText(kind) }))}
      />
      {fieldsOf(fields, form.values).map(({ wire, title: label, hint, number, secret, rule, options: choices }) => {
        const bound = { ...form.field(wire), label: t(label) }
        // What a number may be, except a port, which this is.
        const range = number && rule?.('65535')
        return choices ? (
          <SelectField
            key={wire}
            {...bound}
            options={choices.map(([value, word]) => ({ value, label: typeof word === 'string' ? word : t(word) }))}
          />
        ) : (
          <TextField
            key={wire}
            {...bound}
            hint={hint ? t(hint) : range && `${range.min}-${range.max}`}
            digits={number}
            secret={secret}
            list={wire === 'name' ? FOUND_NDI : undefined}
            onValue={(value) => {
              const parts = wire === 'host' ? partsOf(value) : {}
              if (kinds.includes(parts.kind as string)) form.set(parts)
              else bound.onValue(value)
            }}
          />
        )
      })}
      {form.values.kind === 'ndi' && kinds === INPUT.kinds && <FoundNdi />}
    </FormDialog>
  )
}
