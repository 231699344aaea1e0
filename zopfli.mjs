// gzip by zopfli: what most hubs send, since browsers ask for brotli on secure origins only (design 10). Same bytes everywhere.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What happens to faults that nobody caught is not its affair: it would print a megabyte of its own source in front of each. */
const FAULTS = ['uncaughtException', 'unhandledRejection']
const before = FAULTS.map((fault) => process.listeners(fault))

const { gzip, gzipAsync } = await import('@gfx/zopfli')
// Its module is compiled in the background once; from then on it answers at once.
await gzipAsync(new Uint8Array(1), {})

for (const [at, fault] of FAULTS.entries())
  for (const listener of process.listeners(fault)) if (!before[at]?.includes(listener)) process.off(fault, listener)

/**
 * @param {Uint8Array} bytes
 * @returns {Buffer}
 */
export function zopfli(bytes) {
  /** @type {Uint8Array} */
  let packed = bytes
  gzip(bytes, { numiterations: 15 }, (error, result) => {
    if (error) throw error
    packed = result
  })
  return Buffer.from(packed)
}

/** Lays a `.gz` beside the page, the script and the style sheet, which web servers send in their place. */
export function encoded() {
  return {
    name: 'encoded',
    writeBundle({ dir }) {
      // Who works on the console does not wait for it; and the page of before must not be sent.
      if (this.meta.watchMode) return rmSync(join(dir, 'index.html.gz'), { force: true })
      for (const path of ['index.html', ...readdirSync(join(dir, 'assets')).map((name) => `assets/${name}`)])
        if (/\.(html|js|css)$/.test(path)) writeFileSync(join(dir, `${path}.gz`), zopfli(readFileSync(join(dir, path))))
    }
  }
}
