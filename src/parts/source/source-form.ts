// Form of an input or an output, declared as data: the kinds to choose from, and for each kind its fields with their
// validation rules.
import type { Call } from '../../../contract/call.ts'
import type { Fault } from '../../../contract/rules/rules.ts'
import type { Translation } from '../../text/language.ts'

/**
 * Values of the form, all of them text: `title` is the name of the source, `kind` its kind, and the fields follow by
 * their wire names.
 */
export type SourceValues = Record<string, string>

export interface SourceField {
  /** Name of the option on the wire. */
  wireName: string
  title: Translation
  hint?: Translation
  /** The kinds that have the field. */
  kinds: readonly string[]
  /** Whether the field exists with the other values. Default: always. */
  isOffered?: (values: SourceValues) => boolean
  rule?: (value: string, all: SourceValues) => Fault | undefined
  /** A stream key that no other output may have. */
  isUniqueKey?: true
  numeric?: true
  secret?: true
  /** A text of several lines. */
  multiline?: true
  /** Value in a new form. */
  initial?: string | number
  /** Values to choose from, with their labels. */
  options?: readonly (readonly [value: string, label: string | Translation])[]
}

/** Form of inputs or of outputs, and the conversion between its values and the wire. */
export interface SourceForm<Source, Request> {
  /** The list of these sources. */
  route: 'inputs' | 'outputs' | 'destinations' | 'ndiSources'
  kinds: readonly string[]
  fields: readonly SourceField[]
  /** Label of the button that adds a source. */
  addLabel: Translation
  /** The form's values for a stored source. */
  valuesOf: (source: Source) => SourceValues
  requestOf: (values: SourceValues) => Request
  /** Checks the name. */
  nameRule: (name: string, all: SourceValues) => Fault | undefined
  /** Splits a pasted URL. Some of the values may have no field. */
  parsePasted: (text: string) => SourceValues | undefined
  add: Call<Request, { id: number }>
  set: Call<Request & { id: number }>
}

export const SRT_KINDS = ['caller', 'listener', 'rendezvous']
/** Kinds of SRT with a stream ID: both ends of a rendezvous are alike, so neither sends one. */
export const SRT_ID_KINDS = ['caller', 'listener']
/** Kinds whose URL can have a user name and a password. */
export const LOGIN_KINDS = ['rtmp', 'rtmps', 'rtsp', 'http', 'https']
export const UDP_KINDS = ['udp', 'rtp']

/** The fields that exist for the chosen kind and the other values. */
export function visibleFields(fields: readonly SourceField[], values: SourceValues): SourceField[] {
  return fields.filter(
    ({ kinds, isOffered }) => kinds.includes(values.kind ?? '') && (isOffered === undefined || isOffered(values))
  )
}

/** Names of the values for which the form of their kind has no field. */
export function valuesWithoutField(fields: readonly SourceField[], values: SourceValues): string[] {
  const known = ['kind', ...visibleFields(fields, values).map(({ wireName }) => wireName)]
  return Object.keys(values).filter((name) => values[name] && !known.includes(name))
}

/** Converts the visible fields that are not empty. @returns the converted values by wire name */
export function filledValues<Value>(
  fields: readonly SourceField[],
  values: SourceValues,
  convert: (value: string, field: SourceField) => Value
): Record<string, Value> {
  const filled = visibleFields(fields, values).filter(({ wireName }) => values[wireName])
  return Object.fromEntries(filled.map((field) => [field.wireName, convert(values[field.wireName] as string, field)]))
}
