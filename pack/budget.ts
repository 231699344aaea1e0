// The walls that a console must stay within (design 10), and how what it weighs is held against them.
import type { Manifest } from './manifest.ts'

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

/** The help page is a document that some open later, in a window of its own: no part of the console. */
export const DOCUMENT = /^help\.(html|css)$/

/** Every page, style sheet and script of the console counts, whenever it is fetched: the promise is about all screens. */
export function addUp<File extends { path: string }>(files: readonly File[], weigh: (file: File) => Sizes): Measured {
  const sizes = (): Sizes => ({ raw: 0, gzip: 0, brotli: 0 })
  const measured: Measured = { html: sizes(), css: sizes(), js: sizes(), total: sizes(), requests: 0 }
  for (const file of files) {
    const kind = /\.(html|css|js)$/.exec(file.path)?.[1] as Artefact | undefined
    if (!kind || DOCUMENT.test(file.path)) continue
    const own = weigh(file)
    for (const name of ['raw', 'gzip', 'brotli'] as const) {
      measured[kind][name] += own[name]
      measured.total[name] += own[name]
    }
    measured.requests++
  }
  return measured
}

/** What a pack weighs by its manifest: what is sent is what lies in it, so nothing has to be encoded to know. */
export function measurePack({ files }: Manifest): Measured {
  return addUp(files, ({ size, encodings: { br, gz } }) => ({
    raw: size,
    gzip: gz?.size ?? size,
    brotli: br?.size ?? size
  }))
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
