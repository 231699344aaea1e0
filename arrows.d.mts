import type { Plugin } from 'rollup'

export function writeArrows(source: string, parse: (source: string) => object): string
export function arrows(): Plugin
