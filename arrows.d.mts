import type { Plugin } from 'rollup'

export function withArrows(source: string, parse: (source: string) => object): string
export function arrows(): Plugin
