// Minimal console updates, created by the code that creates the real ones.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzip, quickGzip } from '../../../firmware-pack/format/encodings.ts'
import { createImage } from '../../../firmware-pack/format/image.ts'
import { readSigner } from '../../../firmware-pack/keys.ts'
import { createPayload } from '../../../firmware-pack/payload.ts'
import type { Signer } from '../../../pack/signature.ts'
import { createUpdate } from '../../../pack/update.ts'

/** Generates a new signing key pair. */
export function generateSigningKey(): { signer: Signer; publicKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { signer: { key: privateKey, development: false }, publicKey: publicKey }
}

/** The development key, which is public. */
export const developmentSigner = (): Signer => readSigner(undefined)

/** Files of a console by path. @param mark a letter or digit that makes the script and the page unique */
export function consoleFiles(mark: string): Record<string, string> {
  const script = `assets/app-${mark.repeat(8)}.js`
  return {
    'index.html': `<!doctype html><script type="module" src="${script}"></script>console ${mark}`,
    [script]: `console.log('${mark}')\n`.repeat(20)
  }
}

/** Writes the files of a console to a folder, as the build does. */
export function writeConsole(mark: string, folder: string): void {
  for (const [path, text] of Object.entries(consoleFiles(mark))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

export interface PackOptions {
  version?: string
  signer?: Signer
  /** Content by path. */
  files?: Record<string, string>
  /** Seconds since 1970. */
  time?: number
}

/** Returns the bytes of an update with the console `mark`. */
export function createTestUpdate(
  mark: string,
  {
    version = '1.0.0',
    signer = developmentSigner(),
    files = consoleFiles(mark),
    time = 1_700_000_000
  }: PackOptions = {}
): Buffer {
  const bundle = Object.entries(files).map(([path, text]) => {
    const bytes = Buffer.from(text)
    // As a real pack, so that the limits of `size-budget.json` apply; larger files would take too long.
    return { path, bytes, gzip: bytes.length < 1 << 20 ? gzip(bytes) : quickGzip(bytes) }
  })
  const commit = { id: mark.repeat(40), time, changed: false }
  const { manifest, files: content } = createPayload(bundle, version, commit)
  const [text] = content
  if (!text) throw new Error('The manifest is not the first file of the payload')
  return createUpdate(text.bytes, manifest, createImage(content, time), signer)
}

/** Returns form data with an update. */
export function createUpdateForm(bytes: Uint8Array, name = 'console.update'): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}
