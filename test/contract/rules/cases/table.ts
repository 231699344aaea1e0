// Tables of cases for the validation rules of contract/, and texts that several of them use.
import type { Fault } from '../../../../contract/rules/rules.ts'

/** A value and the expected verdict: 'ok', or a fault as formatted by `verdictOf`. */
type Row<Value> = readonly [value: Value, verdict: string]

export interface RuleTable {
  /** The rule and its arguments. The text before the parenthesis is the name of the rule in contract/. */
  name: string
  rule: (value: never) => Fault | undefined
  rows: readonly Row<unknown>[]
}

export const tables: RuleTable[] = []

/** Adds a table. */
export function table<Value>(
  name: string,
  rule: (value: Value) => Fault | undefined,
  rows: readonly Row<Value>[]
): void {
  tables.push({ name, rule, rows })
}

/** Formats a fault: `required`, `length 1..64`, `port 8080 1024..2048`. */
export function verdictOf(fault: Fault | undefined): string {
  if (!fault) return 'ok'
  const { name, min, max, default: defaultValue } = fault
  const bounds = max === undefined ? min : `${min}..${max}`
  return [name, defaultValue, bounds].filter((part) => part !== undefined).join(' ')
}

export const repeat = (count: number, text = 'x') => text.repeat(count)
export const NUL = 'a\0b'
export const DELETE = 'a\x7fb'
export const NEXT_LINE = 'a\x85b'
/** Right-to-left override: displayed as `a` and the rest of the line backwards. */
export const BACKWARDS = 'a\u202eb'
export const RIGHT_TO_LEFT = 'a\u200fb'
export const ISOLATE = 'a\u2066b'
export const EMOJI = '😀'
export const FAMILY = '👨\u200d👩\u200d👧'
/** A lone surrogate. */
export const HALF = 'a\ud83d'
export const HINDI = 'नमस्ते'
export const THAI = 'ห้องส่ง'
export const ARABIC = 'قناة'
/** An e with a combining accent. */
export const DECOMPOSED = 'Cafe\u0301'
export const CHINESE = '演播室'
export const LONG = repeat(10_000)
export const LONG_EMOJI = repeat(10_000, EMOJI)
export const LONG_MARKS = `a${repeat(10_000, '\u0301')}`
