// The configurations of web servers that a pack contains.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inlineScriptSources } from '../pack/inline-scripts.ts'
import type { BundleFile } from './bundle-files.ts'

/** Stands in the Content-Security-Policy of each configuration for the hashes of the page's inline scripts. */
const PLACEHOLDER = '%INLINE_SCRIPTS%'

/** @param page the page whose inline scripts the policies are to allow */
export function serverConfigurations(page: string): BundleFile[] {
  const folder = join(import.meta.dirname, 'servers')
  const scripts = inlineScriptSources(page).join(' ')
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8').replaceAll(PLACEHOLDER, scripts)
      return { path: `servers/${name}`, bytes: Buffer.from(text) }
    })
}
