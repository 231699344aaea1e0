// Packages that the console replaces. The build and the test runner share the table, so that both run the same code.
import { join } from 'node:path'
import { root } from './project.ts'

export const react = join(root, 'src/react.ts')
export const wouterShim = join(root, 'src/state/wouter-shim.ts')

/** Bare imports and the file or package that replaces each. */
export const alias: Readonly<Record<string, string>> = {
  react,
  'react-dom': react,
  'react/jsx-runtime': 'preact/jsx-runtime',
  'use-sync-external-store/shim': react,
  'use-sync-external-store/shim/index.js': react
}
