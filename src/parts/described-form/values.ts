// Converts the values of described fields between form and wire.
import type { FormCondition, FormField } from '../../../contract/form/form.ts'
import { type Fault, required, wholeNumber } from '../../../contract/rules/rules.ts'

/** A switch has a boolean, any other field a text. */
export type FieldValue = string | boolean
export type FieldValues = Record<string, FieldValue>

type Json = Readonly<Record<string, unknown>> | undefined

/** The value at a path such as `settings.servers.0`. */
export const valueAt = (object: unknown, path: string): unknown =>
  path.split('.').reduce((value: unknown, key) => (value as Json)?.[key], object)

/** Finds a value by the name of a field or by its path. */
export type Look = (path: string) => unknown

interface Conditional {
  when?: FormCondition[] | undefined
}

const holds = ({ when = [] }: Conditional, look: Look): boolean =>
  when.every(({ of, is, not }) => {
    const value = (look(of) ?? null) as never
    return is ? is.includes(value) : !not?.includes(value)
  })

/**
 * Whether a part of a card is shown. A consent that was given stays.
 * @param look finds the value that a condition names
 */
export const isShown = (part: Conditional & Partial<FormField>, look: Look): boolean =>
  holds(part, look) || (part.type === 'consent' && look(part.name ?? '') === look(part.from ?? ''))

interface Address {
  address: string
  port: number
}

/** The stored value as the form edits it. */
export function fromWire({ type, default: standard = '' }: FormField, stored: unknown): FieldValue {
  if (type === 'switch' || type === 'checkbox') return stored === true
  if (type === 'secret' || type === 'consent') return ''
  if (type === 'address' && stored) {
    const { address, port } = stored as Address
    return port === standard ? address : `${address}:${port}`
  }
  if (type === 'address') return ''
  return Array.isArray(stored) ? stored.join(', ') : String(stored ?? standard)
}

/** The items of a list. */
export const itemsOf = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

function toWire({ type, joined, numbers, default: standard }: FormField, value: FieldValue): unknown {
  if (typeof value === 'boolean') return value
  if (type === 'number') return Number(value)
  if (type === 'address') {
    const [address, port = standard] = value.split(':')
    return { address, port: Number(port) }
  }
  if (type === 'select' && numbers) return Number(value)
  if (type !== 'list' && type !== 'choices') return value
  const items = itemsOf(value)
  if (numbers) return items.map(Number)
  return joined ? items.join() : items
}

/** The request with the values of these fields, whose names are paths. */
export function requestOf(fields: readonly FormField[], values: FieldValues): object {
  const request = {}
  for (const field of fields) {
    const keys = field.name.split('.')
    const last = keys.pop() ?? ''
    const value = values[field.name] ?? ''
    let target: Record<string, unknown> = request
    keys.forEach((key, index) => {
      target[key] ??= Number.isNaN(Number(keys[index + 1] ?? last)) ? {} : []
      target = target[key] as Record<string, unknown>
    })
    if (value === '' && field.optional) continue
    if (Array.isArray(target)) target.push(toWire(field, value))
    else target[last] = toWire(field, value)
  }
  return request
}

/** What the schema of the call says about a value. Everything else is left to the hub. */
export function faultIn({ type, required: isRequired, min, max }: FormField, value: FieldValue): Fault | undefined {
  const text = String(value)
  if (text === '') return isRequired && required(text)
  return type === 'number' ? wholeNumber(text, min ?? -Infinity, max ?? Infinity) : undefined
}
