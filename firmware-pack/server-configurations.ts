// The web server configurations in a pack.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inlineScriptSources } from '../pack/inline-scripts.ts'
import type { BundleFile } from './bundle-files.ts'

/** Placeholder in the Content-Security-Policy of each configuration for the hashes of the page's inline scripts. */
const PLACEHOLDER = '%INLINE_SCRIPTS%'

/** Returns the configurations. @param page HTML of the page whose inline scripts the policy allows */
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
