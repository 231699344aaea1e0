import type { Plugin } from 'rollup'

export function zopfli(bytes: Uint8Array): Buffer
export function encoded(): Plugin
