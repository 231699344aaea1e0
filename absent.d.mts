import type { Plugin } from 'rollup'

interface Absent {
  names?: readonly string[]
  texts?: readonly (string | number)[]
  comesTo?: Readonly<Record<string, string>>
  thrower?: string
}

export const ABSENT: Readonly<Record<string, readonly string[]>>
export const UNDRAWN: Readonly<Record<string, readonly (string | number)[]>>
export const COMES_TO: Readonly<Record<string, Readonly<Record<string, string>>>>
export const THROWS: Readonly<Record<string, string>>
export function withoutAbsent(source: string, list: Absent, parse: (source: string) => object): string
export function absent(): Plugin
