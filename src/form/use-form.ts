// Form state, validated by the rules of contract/. The error of a field is shown after the field has lost the focus for
// the first time or the form was submitted, and is then updated as the user types. A field that is empty and in which
// nothing was typed shows no error before the form is submitted. A field that the hub rejected shows that error until
// the field is changed.
import { useLayoutEffect, useRef, useState } from 'react'
import type { Envelope } from '../../contract/call.ts'
import { INVALID_ARG, NOT_EXIST, SUCCESS } from '../../contract/codes.ts'
import { type RuleSet, validateFields } from '../../contract/rules/rules.ts'
import { faultOf, faultText } from '../text/faults.ts'
import { responseLines } from '../text/response-message.ts'

/** The properties that connect a field component with its form. */
export interface FieldBinding<Value> {
  name: string
  value: Value
  /** The validation error, as a sentence. */
  error?: string
  onValueChange: (value: Value) => void
  onBlur?: () => void
}

export interface FormOptions<Values> {
  /**
   * Form fields by their names on the wire, where the two differ: `{ 'config.bind-port': 'port' }`. A prefix such as
   * `config.` or `srt.` alone needs no entry.
   */
  fieldOfWireName?: Readonly<Record<string, keyof Values & string>>
  /** The field of a name on the wire, if it is neither in `fieldOfWireName` nor the name without its prefix. */
  fieldOf?: (wireName: string) => (keyof Values & string) | undefined
  /**
   * Form fields by the result code that concerns them, for responses without a field name: `{ [NAME_EXISTS]: 'name' }`.
   */
  fieldOfCode?: Readonly<Record<number, keyof Values & string>>
  /** Called when the response has result 0, for instance to close the dialog. */
  onSuccess?: () => void
}

export interface SubmitEvent {
  preventDefault(): void
  currentTarget: EventTarget | null
}

export interface Form<Values> {
  values: Values
  /** The properties of a field component: `<TextField {...form.field('name')} />`. */
  field: <Field extends keyof Values & string>(field: Field) => FieldBinding<Values[Field]>
  /** Changes some values. */
  setValues: (changes: Partial<Values>) => void
  /** Whether the form was submitted and the response has not arrived yet. */
  busy: boolean
  /**
   * For `onSubmit`. When all rules hold, calls the form's action, and shows a rejection by the hub at its field.
   * @returns whether the response has result 0
   */
  submit: (event: SubmitEvent) => Promise<boolean>
  /** Whether the object of the form was deleted meanwhile (16), so that there is nothing to save. */
  isDeleted: boolean
  /** Whether the form shows the error of this response at a field, so that it must not be shown elsewhere. */
  showsError: (response: Partial<Envelope>) => boolean
}

type FormResponse = Partial<Envelope>

/** A field that the hub has rejected, with its response. */
interface Rejection {
  field: string
  response: FormResponse
}

/** Passed on to the mutation that saves the form. */
interface SubmitOptions {
  /** Whether the form shows the error of this response at a field, so that it must not be shown elsewhere. */
  isShownElsewhere: (response: FormResponse) => boolean
}

/** @param action sends the form. The form reads `result` and `field` of the response that it resolves to. */
export function useForm<Values extends object>(
  rules: RuleSet<Values>,
  initial: Values,
  action: (values: Values, options: SubmitOptions) => Promise<FormResponse | undefined>,
  options: FormOptions<Values> = {}
): Form<Values> {
  const [values, updateValues] = useState(initial)
  /** Fields that show their errors. */
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  /** Fields in which the user has typed, including those that are empty again. */
  const typed = useRef(new Set<string>()).current
  const [rejections, setRejections] = useState<readonly Rejection[]>([])
  const [busy, setBusy] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  const focusFirstError = useErrorFocus()
  const faults = validateFields(rules, values)

  const fieldOf = (response: FormResponse) => fieldOfResponse(response, values, options)
  const showsError = (response: FormResponse) => fieldOf(response) !== undefined

  function setValues(changes: Partial<Values>): void {
    updateValues((previous) => ({ ...previous, ...changes }))
    setRejections((previous) => previous.filter((rejection) => !(rejection.field in changes)))
  }

  function errorOf(field: keyof Values & string): string | undefined {
    const rejection = rejections.find((each) => each.field === field)
    if (rejection) return rejectionText(rejection.response)
    const fault = faults[field]
    return fault && touched.has(field) ? faultText(fault) : undefined
  }

  async function submit(event: SubmitEvent): Promise<boolean> {
    event.preventDefault()
    if (busy) return false
    const form = event.currentTarget as Element
    setTouched(new Set(Object.keys(values)))
    setRejections([])
    if (Object.keys(faults).length > 0) {
      focusFirstError(form)
      return false
    }
    setBusy(true)
    try {
      const response = (await action(values, { isShownElsewhere: showsError })) ?? {}
      const isDone = response.result === SUCCESS
      if (isDone) options.onSuccess?.()
      const rejected = [response, ...(response.also ?? [])].flatMap((each) => {
        const rejection = { result: response.result, ...each }
        const field = fieldOf(rejection)
        return field === undefined ? [] : [{ field, response: rejection }]
      })
      // A device answers with codes of its own.
      if (rejected.length === 0) setDeleted(response.result === NOT_EXIST && !response.field && !response.api)
      else {
        focusFirstError(form)
        setRejections(rejected)
      }
      return isDone
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    busy,
    isDeleted,
    setValues,
    submit,
    field: (field) => ({
      name: field,
      value: values[field],
      error: errorOf(field),
      onValueChange(value) {
        typed.add(field)
        setValues({ [field]: value } as unknown as Partial<Values>)
      },
      onBlur() {
        if (values[field] !== '' || typed.has(field)) setTouched((previous) => new Set(previous).add(field))
      }
    }),
    showsError
  }
}

/** The form field that a response is about. */
function fieldOfResponse<Values extends object>(
  { result = SUCCESS, field = '' }: FormResponse,
  values: Values,
  { fieldOf, fieldOfWireName = {}, fieldOfCode = {} }: FormOptions<Values>
): string | undefined {
  // Without a prefix such as `config.` and without the index of a list item.
  const ownField =
    fieldOf?.(field) ?? fieldOfWireName[field] ?? fieldOfCode[result] ?? field.replace(/^[a-z-]+\.(?=\D)|\.\d+$/g, '')
  return Object.hasOwn(values, ownField) ? ownField : undefined
}

/** The error of a field that the hub rejected. */
function rejectionText(response: FormResponse): string | undefined {
  const { result = SUCCESS } = response
  return result === INVALID_ARG ? faultText(faultOf(response)) : responseLines({ ...response, result })[0]
}

/** @returns a function that focuses the first field with an error once the form has been rendered again */
function useErrorFocus(): (form: Element) => void {
  const pendingForm = useRef<Element>(undefined)
  useLayoutEffect(() => {
    const form = pendingForm.current
    pendingForm.current = undefined
    // The error is inside the same `.field` as the control, whatever kind of control it is.
    const field = form?.querySelector('.field .fault')?.closest('.field')
    field?.querySelector<HTMLElement>('input, select, button')?.focus()
  })
  return (form) => {
    pendingForm.current = form
  }
}
