// The payload of a pack: the web root with each file in every encoding, and the manifest that lists them.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Commit } from '../bundler/commit.ts'
import { HELP_PAGE } from '../pack/budget.ts'
import { inlineScriptSources } from '../pack/inline-scripts.ts'
import { computeDigest, type Manifest, type ManifestFile, referencedPaths, WEB_ROOT } from '../pack/manifest.ts'
import { PackError } from '../pack/pack-error.ts'
import { type BundleFile, HASHED } from './bundle-files.ts'
import { brotli, gzip } from './format/encodings.ts'

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

export interface Payload {
  manifest: Manifest
  /** Everything in the pack, the manifest first. */
  files: BundleFile[]
}

/**
 * Creates the payload.
 * @param version of the product
 * @throws Error when the name of a script or style sheet contains no hash: browsers would keep the cached file after an
 * update
 * @throws PackError when the page refers to a missing file, for example after a build was killed
 */
export function createPayload(bundle: readonly BundleFile[], version: string, commit: Commit): Payload {
  const page = bundle.find(({ path }) => path === 'index.html')
  for (const path of referencedPaths(String(page?.bytes)))
    if (!bundle.some((file) => file.path === path))
      throw new PackError(`The console is incomplete: index.html refers to ${path}, which is missing. Build it again.`)
  const files: BundleFile[] = []
  const manifestFiles: ManifestFile[] = []
  for (const { path, bytes, gzip: packed } of bundle) {
    if (/\.(js|css)$/.test(path) && !HASHED.test(path) && !HELP_PAGE.test(path))
      throw new Error(`${path} has no hash in its name`)
    files.push({ path: `${WEB_ROOT}/${path}`, bytes })
    const encodings: ManifestFile['encodings'] = {}
    for (const [ending, encoded] of [
      ['br', brotli(bytes)],
      ['gz', packed ?? gzip(bytes)]
    ] as const) {
      if (encoded.length >= bytes.length) continue
      files.push({ path: `${WEB_ROOT}/${path}.${ending}`, bytes: encoded })
      encodings[ending] = computeDigest(encoded)
    }
    manifestFiles.push({ path, ...computeDigest(bytes), encodings })
  }
  const manifest: Manifest = {
    name: 'headend-console',
    version,
    commit: commit.id,
    ...(commit.changed && { changed: true }),
    time: new Date(commit.time * 1000).toISOString(),
    files: manifestFiles
  }
  const text = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)
  return { manifest, files: [{ path: 'manifest.json', bytes: text }, ...files] }
}
