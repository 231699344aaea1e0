// Shows the cards that the hub describes: settings, their states, and buttons (docs/architecture/described-forms.md).
import { type ReactNode, useState } from 'react'
import type { Access, Call } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import type { FormButton, FormCard, FormFact, FormField, FormPart, FormText } from '../../../contract/form/form.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { SelectField } from '../../form/select-field.tsx'
import { SwitchField } from '../../form/switch-field.tsx'
import { TextField } from '../../form/text-field.tsx'
import { type FieldBinding, useForm } from '../../form/use-form.ts'
import { sendMutation } from '../../state/mutations.ts'
import { ago, lasting } from '../../text/dates.ts'
import type { Translation } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { NotSetUp } from '../access-note.tsx'
import { CallButton } from '../actions.tsx'
import { usePlaceholder } from '../load-state.tsx'
import { SettingsForm } from '../settings/settings-form.tsx'
import { descriptionOf, valuesOf } from './store.ts'
import { type FieldValue, type FieldValues, faultIn, fromWire, isShown, requestOf, valueAt } from './values.ts'

/** What a button has done, in the words of the hub. */
const DONE: Translation = ['{0}', '{0}']

type Question = NonNullable<NonNullable<FormCard['save']>['confirm']>

const askFor = ({ text, label }: Question) => confirm({ text, confirmLabel: label, danger: true })

/** The described cards of a page. */
export function DescribedCards({ page }: { page: string }) {
  const store = descriptionOf(page)
  const { cards = [] } = useStore(store)
  const placeholder = usePlaceholder(store, cards.length === 0, null)
  return <>{placeholder ?? cards.map((card) => <DescribedCard key={card.name} card={card} />)}</>
}

/** A card, once its values have arrived. */
function DescribedCard({ card }: { card: FormCard }) {
  const store = valuesOf(card)
  const { value } = useStore(store)
  const placeholder = usePlaceholder(store, !value, null)
  const { title, obstacle } = card
  if (value && obstacle) return <NotSetUp parts={[[title, valueAt(value, obstacle) as object]]} />
  if (!value || placeholder) return <>{placeholder}</>
  return <CardContent card={card} response={value} />
}

/** Finds a value by the name of a field or by its path. */
type Look = (path: string) => unknown

const toCall = ({ path, access, interrupts }: Pick<FormButton, 'path' | 'access' | 'interrupts'>) =>
  ({ method: 'POST', path, access, interrupts }) as Call<object, object>

const isField = (part: FormPart): part is FormField => 'type' in part
const isFact = (part: FormPart): part is FormFact => 'fact' in part

function CardContent({ card, response }: { card: FormCard; response: object }) {
  const { title, at, save, parts } = card
  const [answer, setAnswer] = useState<{ about: string; answer: object }>()
  const fields = parts.filter(isField)
  const stored = at ? valueAt(response, at) : response
  const saved: FieldValues = Object.fromEntries(
    fields.map((field) => [field.name, fromWire(field, valueAt(stored, field.from ?? field.name))])
  )
  /** Finds a value in the responses. */
  const findIn =
    (values: FieldValues): Look =>
    (path) =>
      valueAt(answer?.about === subjectOf(values) ? { ...response, ...answer } : response, path)
  const lookIn =
    (values: FieldValues): Look =>
    (name) =>
      values[name] ?? findIn(values)(name)
  /** What an answer is about: it is shown as long as the fields have these values. */
  const subjectOf = (values: FieldValues) =>
    JSON.stringify(fields.map(({ name, type }) => type !== 'consent' && values[name]))
  const rules: RuleSet<FieldValues> = Object.fromEntries(
    fields.map((field) => [
      field.name,
      (value: FieldValue, all: FieldValues) => (isShown(field, lookIn(all)) ? faultIn(field, value) : undefined)
    ])
  )
  const form = useForm<FieldValues>(
    rules,
    saved,
    async (values, options) => {
      const { confirm: question, ...call } = save as NonNullable<FormCard['save']>
      if (question && isShown(question, lookIn(values)) && !(await askFor(question))) return undefined
      const request = requestOf(shownFields(), values)
      return sendMutation(toCall(call), request, { ...options, success: { text: OUTCOME.settingsSaved } })
    },
    {
      fieldOf: (wireName) =>
        fields.find(({ name }) => `${wireName}.`.startsWith(`${name.replace(/\.\d+$/, '')}.`))?.name
    }
  )
  const { values } = form
  const look = lookIn(values)
  const find = findIn(values)
  const shownFields = () => fields.filter((field) => isShown(field, look))

  async function press({ success, fields: names = [], request, confirm: text, ...button }: FormButton): Promise<void> {
    const { button: label, danger } = button
    if (text && !(await confirm({ text, confirmLabel: label, danger }))) return
    const sent = shownFields().filter(({ name }) => names.some((start) => name.startsWith(start)))
    const reply = await sendMutation(
      toCall(button),
      { ...requestOf(sent, values), ...request },
      {
        isShownElsewhere: ({ result }) => result === SUCCESS && success === undefined,
        success: { text: DONE, names: [success ?? ''] }
      }
    )
    if (success === undefined) setAnswer({ about: subjectOf(values), answer: reply })
  }

  const shownParts = parts.filter((part) => isShown(part, look))
  const content = shownParts.map((part, index) => {
    if (isFact(part)) return <Facts key={`${part.fact} ${part.value}`} facts={factsAt(shownParts, index)} find={find} />
    if ('button' in part)
      return (
        <CallButton
          key={part.button}
          call={toCall(part)}
          kind={part.danger && 'danger'}
          label={part.button}
          onClick={() => press(part)}
        />
      )
    if (isField(part)) return <Field key={part.name} field={part} binding={form.field(part.name)} find={find} />
    return <Text key={index} part={part} find={find} />
  })
  return save ? (
    <SettingsForm title={title} form={form} saved={saved} access={save.access as Access}>
      {content}
    </SettingsForm>
  ) : (
    <Card title={title}>{content}</Card>
  )
}

function Text({ part: { text, value = '', as }, find }: { part: FormText; find: Look }) {
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
function factsAt(parts: readonly FormPart[], index: number): FormFact[] {
  const isWithin = parts.slice(index - 1, index).some(isFact)
  const rest = parts.slice(index)
  const count = rest.findIndex((part) => !isFact(part))
  return isWithin ? [] : rest.slice(0, count < 0 ? undefined : count).filter(isFact)
}

function Facts({ facts, find }: { facts: readonly FormFact[]; find: Look }) {
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
        {since && find(since) !== undefined && <ElapsedTime since={Number(find(since))} format={lasting} />}
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

function Field({ field: { type, label, hint, stored, options = [], from = '' }, binding, find }: FieldProps) {
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
  if (type === 'select') return <SelectField {...text} {...labels} options={options} />
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
