import type { Plugin } from 'rollup'

export const ABSENT: Readonly<Record<string, readonly string[]>>
export const UNDRAWN: Readonly<Record<string, readonly string[]>>
export function withoutAbsent(
  source: string,
  names: readonly string[],
  texts: readonly string[],
  parse: (source: string) => object
): string
export function absent(): Plugin
