// Packs of consoles as small as can be, made by the code that makes the real ones.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { quickGzip } from '../../firmware-pack/encodings.ts'
import { makeImage } from '../../firmware-pack/image.ts'
import { readSigner } from '../../firmware-pack/keys.ts'
import { makePayload } from '../../firmware-pack/payload.ts'
import { createUpdate, type Signer } from '../../pack/update.ts'

/** A key that nobody else has. */
export function makeKey(): { signer: Signer; open: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { signer: { key: privateKey, development: false }, open: publicKey }
}

/** The key that everybody has. */
export const developmentSigner = (): Signer => readSigner(undefined)

/** Its files, by path. @param mark a letter or digit, by which its script and its page are told from others */
export function consoleFiles(mark: string): Record<string, string> {
  const script = `assets/app-${mark.repeat(8)}.js`
  return {
    'index.html': `<!doctype html><script type="module" src="${script}"></script>console ${mark}`,
    [script]: `console.log('${mark}')\n`.repeat(20)
  }
}

/** Writes its files into a folder, as a build does. */
export function writeConsole(mark: string, folder: string): void {
  for (const [path, text] of Object.entries(consoleFiles(mark))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

export interface PackOptions {
  version?: string
  signer?: Signer
  /** What is in it, by path. */
  files?: Record<string, string>
  /** Seconds since 1970. */
  time?: number
}

/** An update with the console `mark` in it, as bytes. */
export function makeTestPack(
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
    return { path, bytes, gzip: quickGzip(bytes) }
  })
  const commit = { id: mark.repeat(40), time, changed: false }
  const { manifest, files: content } = makePayload(bundle, version, commit)
  const [text] = content
  if (!text) throw new Error('a payload begins with its manifest')
  return createUpdate(text.bytes, manifest, makeImage(content, time), signer)
}

/** A form with an update in it. */
export function updateForm(bytes: Uint8Array, name = 'console.update'): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}
