import type { Plugin } from 'rollup'

export function pairsIn(node: unknown): { elements: { value: string }[] }[]
export function gatherWords(source: string, parse: (source: string) => object): string
export function words(): Plugin
