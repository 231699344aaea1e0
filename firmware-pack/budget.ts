// What a browser downloads before the console works, and the walls it must stay within (design 10).
import { sync as brotliSize } from 'brotli-size'
import { type BundleFile, DOCUMENT } from './bundle-files.ts'
import { gzip } from './encodings.ts'

export interface Sizes {
  raw: number
  gzip: number
  brotli: number
}

export type Artefact = 'html' | 'css' | 'js' | 'total'
export const ARTEFACTS: readonly Artefact[] = ['html', 'css', 'js', 'total']

export interface Measured extends Record<Artefact, Sizes> {
  /** Files fetched. */
  requests: number
}

/** `size-budget.json`. A limit that is not there is not enforced. */
export interface Budget extends Record<Artefact, Partial<Sizes>> {
  requests: number
}

/** Every page, style sheet and script of the console counts, whenever it is fetched: the promise is about all screens. */
export function measure(files: readonly BundleFile[]): Measured {
  const sizes = (): Sizes => ({ raw: 0, gzip: 0, brotli: 0 })
  const measured: Measured = { html: sizes(), css: sizes(), js: sizes(), total: sizes(), requests: 0 }
  for (const { path, bytes, gzip: packed = gzip(bytes) } of files) {
    const kind = /\.(html|css|js)$/.exec(path)?.[1] as Artefact | undefined
    if (!kind || DOCUMENT.test(path)) continue
    const own = { raw: bytes.length, gzip: packed.length, brotli: brotliSize(bytes) }
    for (const name of ['raw', 'gzip', 'brotli'] as const) {
      measured[kind][name] += own[name]
      measured.total[name] += own[name]
    }
    measured.requests++
  }
  return measured
}

export interface Line {
  what: string
  is: number
  limit?: number
}

/** Measured and allowed, a line for each number. */
export function lines(measured: Measured, budget: Budget): Line[] {
  const rows: Line[] = ARTEFACTS.flatMap((artefact) =>
    (['raw', 'gzip', 'brotli'] as const).map((encoding) => ({
      what: `${artefact} ${encoding}`,
      is: measured[artefact][encoding],
      limit: budget[artefact][encoding]
    }))
  )
  return [...rows, { what: 'requests', is: measured.requests, limit: budget.requests }]
}

/** The lines over their limit. */
export function over(all: readonly Line[]): Line[] {
  return all.filter(({ is, limit }) => limit !== undefined && is > limit)
}
