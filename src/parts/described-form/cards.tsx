// Shows the cards that the hub describes: settings, their states, and buttons (docs/architecture/described-forms.md).
import { useState } from 'react'
import type { Access } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import type { FormButton, FormCard } from '../../../contract/form/form.ts'
import { sendMutation } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { useStore } from '../../ui/use-store.ts'
import { NotSetUp } from '../access-note.tsx'
import { CallButton } from '../actions.tsx'
import { usePlaceholder } from '../load-state.tsx'
import { SettingsForm } from '../settings/settings-form.tsx'
import { done, Facts, Field, factsAt, isFact, isField, Text, toCall, useDescribedForm } from './fields.tsx'
import { DescribedList } from './list.tsx'
import { subscribeToPush } from './push-subscription.ts'
import { descriptionOf, valuesOf } from './store.ts'
import { type FieldValues, isShown, type Look, requestOf, valueAt } from './values.ts'

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

function CardContent({ card, response }: { card: FormCard; response: object }) {
  const { title, at, save, parts } = card
  const [answer, setAnswer] = useState<{ about: string; answer: object }>()
  const fields = parts.filter(isField)
  /** Finds a value in the responses. */
  const findIn =
    (values: FieldValues): Look =>
    (path) =>
      valueAt(answer?.about === subjectOf(values) ? { ...response, ...answer } : response, path)
  /** What an answer is about: it is shown as long as the fields have these values. */
  const subjectOf = (values: FieldValues) =>
    JSON.stringify(fields.map(({ name, type }) => type !== 'consent' && values[name]))
  const { form, saved, look, shownFields } = useDescribedForm(
    fields,
    at ? valueAt(response, at) : response,
    findIn,
    async (request, lookIn, options) => {
      const { confirm: question, ...call } = save as NonNullable<FormCard['save']>
      if (question && isShown(question, lookIn) && !(await askFor(question))) return undefined
      return sendMutation(toCall(call), request, { ...options, success: { text: OUTCOME.settingsSaved } })
    }
  )
  const { values } = form
  const find = findIn(values)

  async function press({
    success,
    fields: names = [],
    request,
    confirm: text,
    subscribe,
    ...button
  }: FormButton): Promise<void> {
    const { button: label, danger } = button
    if (text && !(await confirm({ text, confirmLabel: label, danger }))) return
    const subscription = subscribe && (await subscribeToPush(String(find(subscribe.key)), subscribe.worker))
    if (subscription === null) return setAnswer({ about: subjectOf(values), answer: { blocked: true } })
    const sent = shownFields().filter(({ name }) => names.some((start) => name.startsWith(start)))
    const reply = await sendMutation(
      toCall(button),
      { ...requestOf(sent, values), ...request, ...subscription },
      {
        isShownElsewhere: ({ result }) => result === SUCCESS && success === undefined,
        success: done(success)
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
    if ('list' in part) return <DescribedList key={part.list} part={part} response={response} />
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
