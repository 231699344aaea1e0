// The parts of described cards and dialogs: fields, facts and sentences, and the form that they are in.
import { type ReactNode, useId } from 'react'
import type { Call } from '../../../contract/call.ts'
import type { FormButton, FormFact, FormField, FormPart, FormText } from '../../../contract/form/form.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { FieldMessage } from '../../form/labelled-field.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type FieldBinding, type Form, useForm } from '../../form/use-form.ts'
import { ago, lasting } from '../../text/dates.ts'
import type { Translation } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { valuesOf } from './store.ts'
import {
  type FieldValue,
  type FieldValues,
  faultIn,
  fromWire,
  isShown,
  itemsOf,
  type Look,
  requestOf,
  valueAt
} from './values.ts'

type SubmitOptions = Parameters<Parameters<typeof useForm<FieldValues>>[2]>[1]

/** The message about a successful call, whose text comes from the hub. */
export const done = (success = ''): { text: Translation; names: string[] } => ({ text: DONE, names: [success] })
const DONE: Translation = ['{0}', '{0}']

export const toCall = ({ path, access, interrupts }: Pick<FormButton, 'path' | 'access' | 'interrupts'>) =>
  ({ method: 'POST', path, access, interrupts }) as Call<object, object>

export const isField = (part: FormPart): part is FormField => 'type' in part
export const isFact = (part: FormPart): part is FormFact => 'fact' in part

interface DescribedForm {
  form: Form<FieldValues>
  saved: FieldValues
  /** Finds a value by the name of a field or by its path. */
  look: Look
  /** The fields whose conditions hold. */
  shownFields: () => FormField[]
}

/**
 * The form of described fields.
 * @param stored object with the stored values
 * @param findIn finds a value in the responses
 * @param send saves the fields
 */
export function useDescribedForm(
  fields: readonly FormField[],
  stored: unknown,
  findIn: (values: FieldValues) => Look,
  send: (request: object, look: Look, options: SubmitOptions) => ReturnType<Parameters<typeof useForm>[2]>,
  onSuccess?: () => void
): DescribedForm {
  const saved: FieldValues = Object.fromEntries(
    fields.map((field) => [field.name, fromWire(field, valueAt(stored, field.from ?? field.name))])
  )
  const lookIn =
    (values: FieldValues): Look =>
    (name) =>
      values[name] ?? findIn(values)(name)
  const shownIn = (values: FieldValues) => fields.filter((field) => isShown(field, lookIn(values)))
  const rules: RuleSet<FieldValues> = Object.fromEntries(
    fields.map((field) => [
      field.name,
      (value: FieldValue, all: FieldValues) => (isShown(field, lookIn(all)) ? faultIn(field, value) : undefined)
    ])
  )
  const form = useForm<FieldValues>(
    rules,
    saved,
    (values, options) => send(requestOf(shownIn(values), values), lookIn(values), options),
    {
      fieldOf: (wireName) =>
        fields.find(({ name }) => `${wireName}.`.startsWith(`${name.replace(/\.\d+$/, '')}.`))?.name,
      onSuccess
    }
  )
  return { form, saved, look: lookIn(form.values), shownFields: () => shownIn(form.values) }
}

export function Text({ part: { text, value = '', as }, find }: { part: FormText; find: Look }) {
  const sentence = text ?? String(find(value))
  if (as === undefined || as === 'muted' || as === 'banner') return <p className={as}>{sentence}</p>
  if (as === 'fault')
    return (
      <p className="fault" role="alert">
        {sentence}
      </p>
    )
  return (
    <p role="status">
      <StatusLabel tone={as} text={sentence} />
    </p>
  )
}

/** The facts that begin at an index and follow each other, which are one list; none within such a list. */
export function factsAt(parts: readonly FormPart[], index: number): FormFact[] {
  const isWithin = parts.slice(index - 1, index).some(isFact)
  const rest = parts.slice(index)
  const count = rest.findIndex((part) => !isFact(part))
  return isWithin ? [] : rest.slice(0, count < 0 ? undefined : count).filter(isFact)
}

export function Facts({ facts, find }: { facts: readonly FormFact[]; find: Look }) {
  if (facts.length === 0) return null
  return (
    <div role="status" className="field">
      <DescriptionList items={facts.map((fact) => [fact.fact, factValue(fact, find)])} />
    </div>
  )
}

function factValue({ value, as, unit, each, states, words, since }: FormFact, find: Look): ReactNode {
  const found = find(value)
  const text = String(found ?? '')
  const state = states?.[text] ?? states?.['*']
  if (state)
    return (
      <span className="row">
        <StatusLabel tone={state.tone} text={state.text ?? ((words && find(words)) as string | undefined) ?? text} />
        {since && find(since) !== undefined && (
          <ElapsedTime since={Number(find(since))} format={as === 'ago' ? ago : lasting} />
        )}
      </span>
    )
  if (Array.isArray(found)) {
    const lines = found.map((item) => (each ? valueAt(item, each) : item) as string)
    return lines.length > 0 && lines.map((line) => <div key={line}>{line}</div>)
  }
  if (found === undefined) return undefined
  if (as === 'ago') return <ElapsedTime since={Number(found)} format={ago} />
  if (as === 'age') return lasting(Number(found))
  return [as === 'number' ? number(Number(found)) : text, unit].filter(Boolean).join(' ')
}

interface FieldProps {
  field: FormField
  binding: FieldBinding<FieldValue>
  find: Look
}

export function Field(props: FieldProps) {
  const { choices } = props.field
  return choices ? <FieldWithChoices {...props} /> : <Control {...props} options={props.field.options ?? []} />
}

/** A field whose options are rows of another response. It is not shown if there are none. */
function FieldWithChoices(props: FieldProps) {
  const { path, topic, at, value, label } = props.field.choices as NonNullable<FormField['choices']>
  const response = useStore(valuesOf({ read: path, topic })).value
  const rows = (response ? valueAt(response, at) : []) as object[]
  const options = rows.map((row) => ({ value: String(valueAt(row, value)), label: String(valueAt(row, label)) }))
  return options.length > 0 && <Control {...props} options={options} />
}

function Control({ field, binding, find, options }: FieldProps & { options: NonNullable<FormField['options']> }) {
  const { type, label, hint, stored, from = '', optional } = field
  const labels = { label, hint: stored && find(stored.of) ? stored.hint : hint }
  const text = binding as FieldBinding<string>
  if (type === 'switch' || type === 'checkbox')
    return <SwitchField {...(binding as FieldBinding<boolean>)} {...labels} checkbox={type === 'checkbox'} />
  if (type === 'consent')
    return (
      <SwitchField
        {...text}
        {...labels}
        checkbox
        value={text.value === find(from)}
        onValueChange={(isGiven) => text.onValueChange(isGiven ? String(find(from)) : '')}
      />
    )
  if (type === 'choices') return <Choices binding={text} labels={labels} options={options} />
  if (type === 'select')
    return <SelectField {...text} {...labels} options={options} placeholder={field.choices && optional && ''} />
  return (
    <TextField
      {...text}
      {...labels}
      secret={type === 'secret'}
      numeric={type === 'number'}
      multiline={type === 'lines'}
    />
  )
}

interface ChoicesProps {
  binding: FieldBinding<string>
  labels: { label: string; hint?: string }
  options: NonNullable<FormField['options']>
}

/** Check boxes, with which the user chooses several of the options. */
function Choices({ binding: { name, value, error, onValueChange }, labels: { label, hint }, options }: ChoicesProps) {
  const chosen = itemsOf(value)
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      {options.map((option) => (
        <SwitchField
          key={option.value}
          checkbox
          name={name}
          label={option.label}
          value={chosen.includes(option.value)}
          onValueChange={(isChosen) =>
            onValueChange(
              [...chosen.filter((each) => each !== option.value), ...(isChosen ? [option.value] : [])].join()
            )
          }
        />
      ))}
      <FieldMessage id={useId()} error={error} hint={hint} />
    </fieldset>
  )
}
