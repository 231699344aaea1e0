import type { TransformOptions } from 'esbuild'
import type { Plugin } from 'rollup'

export const TREESHAKE: { moduleSideEffects: (id: string) => boolean; propertyReadSideEffects: false }
export const alias: Readonly<Record<string, string>>
export const browsers: Readonly<Record<string, number>>
export const esbuildOptions: Pick<TransformOptions, 'target' | 'jsx' | 'charset' | 'define'>
export function sources(): Plugin
export function minify(): Plugin
