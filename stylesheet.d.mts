import type { Plugin } from 'rollup'

export function makeStylesheet(): Promise<{ text: string; files: string[] }>
export function stylesheet(page: { css?: string }): Plugin
