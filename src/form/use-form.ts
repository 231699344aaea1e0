// Form state over the rules of contract/. A fault is shown from when its field was left for the first time, or the form was sent, and
// then as the user types; one that is empty and was never typed in says nothing before the form is sent. The hub's word against a field
// stays until that field is changed.
import { useLayoutEffect, useRef, useState } from 'react'
import type { Envelope } from '../../contract/call.ts'
import { INVALID_ARG, SUCCESS } from '../../contract/codes.ts'
import { faultsOf, type RuleSet } from '../../contract/rules/rules.ts'
import { faultOf, faultText } from '../text/faults.ts'
import { answerText } from '../text/response-message.ts'

/** What a field component needs of its form. */
export interface Bound<Value> {
  name: string
  value: Value
  /** What is wrong, as a sentence. */
  fault?: string
  onValue: (value: Value) => void
  onLeave: () => void
}

export interface FormOptions<Values> {
  /** Fields by their names on the wire, where those differ, be it without the part they are in, `config.` or `srt.`: `{ 'config.bind-port': 'port' }`. */
  fields?: Readonly<Record<string, keyof Values & string>>
  /** Fields that a result code speaks of, where the answer names none: `{ [NAME_EXISTS]: 'name' }`. */
  codes?: Readonly<Record<number, keyof Values & string>>
  /** Called when the action was answered with success: closes the dialog. */
  done?: () => void
}

interface SubmitEvent {
  preventDefault(): void
  currentTarget: EventTarget | null
}

export interface Form<Values> {
  values: Values
  /** What `<TextField {...form.field('name')} />` takes. */
  field: <Field extends keyof Values & string>(field: Field) => Bound<Values[Field]>
  set: (some: Partial<Values>) => void
  /** Sent, and not answered yet. */
  busy: boolean
  /** For `onSubmit`: when all rules hold, does what the form is for, and shows at its field what the hub refuses. */
  submit: (event: SubmitEvent) => Promise<void>
  /** Whether a refusal is shown at a field, so that it need not be said elsewhere. */
  takes: (answer: Partial<Envelope>) => boolean
}

/**
 * @param action what the form is for. It answers with what the hub said, of which the form looks at result and field
 */
export function useForm<Values extends object>(
  rules: RuleSet<Values>,
  initial: Values,
  action: (values: Values) => Promise<Partial<Envelope> | undefined>,
  { fields = {}, codes = {}, done }: FormOptions<Values> = {}
): Form<Values> {
  const [values, setValues] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  /** Fields that something was typed in, be it deleted again. */
  const typed = useRef(new Set<string>()).current
  const [refused, setRefused] = useState<{ field: string; answer: Partial<Envelope> }>()
  const [busy, setBusy] = useState(false)
  /** The form whose first fault wants the focus when it is drawn. */
  const wanting = useRef<Element>(undefined)
  const faults = faultsOf(rules, values)

  useLayoutEffect(() => {
    const form = wanting.current
    wanting.current = undefined
    // The fault stands in the field of its control, of whatever kind that is.
    const field = form?.querySelector('.field .fault')?.closest('.field')
    field?.querySelector<HTMLElement>('input, select, button')?.focus()
  })

  /** The field an answer speaks of. */
  function fieldOf({ result = 0, field = '' }: Partial<Envelope>): string | undefined {
    const own = fields[field] ?? codes[result] ?? field.replace(/^[a-z]+\.(?=\D)|\.\d+$/g, '')
    return Object.hasOwn(values, own) ? own : undefined
  }

  /** What is wrong with a field, in words. */
  function saidOf(field: keyof Values & string): string | undefined {
    if (refused?.field === field) {
      const { result = 0 } = refused.answer
      return result === INVALID_ARG ? faultText(faultOf(refused.answer)) : answerText({ ...refused.answer, result })[0]
    }
    const fault = faults[field]
    return fault && left.has(field) ? faultText(fault) : undefined
  }

  function set(some: Partial<Values>): void {
    setValues((last) => ({ ...last, ...some }))
    if (refused && refused.field in some) setRefused(undefined)
  }

  return {
    values,
    busy,
    set,
    field: (field) => ({
      name: field,
      value: values[field],
      fault: saidOf(field),
      onValue(value) {
        typed.add(field)
        set({ [field]: value } as unknown as Partial<Values>)
      },
      onLeave() {
        if (values[field] !== '' || typed.has(field)) setLeft((last) => new Set(last).add(field))
      }
    }),
    takes: (answer) => fieldOf(answer) !== undefined,
    async submit(event) {
      event.preventDefault()
      if (busy) return
      const form = event.currentTarget as Element
      setLeft(new Set(Object.keys(values)))
      setRefused(undefined)
      if (Object.keys(faults).length > 0) {
        wanting.current = form
        return
      }
      setBusy(true)
      try {
        const answer = (await action(values)) ?? {}
        if (answer.result === SUCCESS) done?.()
        const field = fieldOf(answer)
        if (field === undefined) return
        wanting.current = form
        setRefused({ field, answer })
      } finally {
        setBusy(false)
      }
    }
  }
}
