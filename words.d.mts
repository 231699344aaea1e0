import type { Plugin } from 'rollup'

export function gatherWords(source: string, parse: (source: string) => object): string
export function words(): Plugin
