// Size budget: bytes that a browser downloads on its first load, compared with the limits in `size-budget.json`.
import type { Manifest } from './manifest.ts'

/** Bytes. */
export interface Sizes {
  raw: number
  gzip: number
  brotli: number
}

export const ENCODINGS = ['raw', 'gzip', 'brotli'] as const

export interface MeasuredSizes {
  /** Sizes by name: 'html', 'css', 'js', and for each language its pack and the whole first load: 'pack en', 'total en'. */
  artefacts: Record<string, Sizes>
  /** Number of files of the first load. */
  requests: number
}

/** Content of `size-budget.json`. An absent limit is not enforced. */
export interface Budget {
  requests: number
  html?: Partial<Sizes>
  css?: Partial<Sizes>
  js?: Partial<Sizes>
  /** For each language pack. */
  pack?: Partial<Sizes>
  /** For the first load in each language. */
  total?: Partial<Sizes>
}

/** The help page opens in another tab and is not counted. */
export const HELP_PAGE = /^help\.(html|css)$/

/** File name of a language pack. */
const LANGUAGE_PACK = /^assets\/([a-z]{2})-[0-9a-f]{8}\.txt$/

const addSizes = (a: Sizes, b: Sizes): Sizes => ({
  raw: a.raw + b.raw,
  gzip: a.gzip + b.gzip,
  brotli: a.brotli + b.brotli
})

/**
 * Adds up the sizes of all pages, style sheets and scripts, including those that are loaded later, because the limits apply to all screens. A
 * browser loads one language pack, so there is a total per language. A bundle without language packs has one total.
 */
export function measureFiles<File extends { path: string }>(
  files: readonly File[],
  sizesOf: (file: File) => Sizes
): MeasuredSizes {
  const empty: Sizes = { raw: 0, gzip: 0, brotli: 0 }
  const kinds: Record<string, Sizes> = { html: empty, css: empty, js: empty }
  const packs: [name: string, sizes: Sizes][] = []
  let requests = 0
  for (const file of files) {
    const [, language] = LANGUAGE_PACK.exec(file.path) ?? []
    if (language) packs.push([` ${language}`, sizesOf(file)])
    const [, kind = ''] = /\.(html|css|js)$/.exec(file.path) ?? []
    const kindSizes = kinds[kind]
    if (!kindSizes || HELP_PAGE.test(file.path)) continue
    kinds[kind] = addSizes(kindSizes, sizesOf(file))
    requests++
  }
  const common = Object.values(kinds).reduce(addSizes)
  const artefacts = { ...kinds }
  for (const [name, sizes] of packs) artefacts[`pack${name}`] = sizes
  for (const [name, sizes] of packs) artefacts[`total${name}`] = addSizes(common, sizes)
  if (packs.length === 0) artefacts.total = common
  return { artefacts, requests: requests + Math.min(packs.length, 1) }
}

/** Sizes of a pack from its manifest, which includes the sizes of the encoded files. */
export function measurePack({ files }: Manifest): MeasuredSizes {
  return measureFiles(files, ({ size, encodings: { br, gz } }) => ({
    raw: size,
    gzip: gz?.size ?? size,
    brotli: br?.size ?? size
  }))
}

/** One measured number with its limit, in bytes or requests. */
export interface BudgetLine {
  name: string
  value: number
  limit?: number
}

/** Combines measured sizes with their limits. */
export function budgetLines({ artefacts, requests }: MeasuredSizes, budget: Budget): BudgetLine[] {
  const rows: BudgetLine[] = Object.entries(artefacts).flatMap(([name, sizes]) => {
    const limits = budget[name.split(' ')[0] as 'total']
    return ENCODINGS.map((encoding) => ({
      name: `${name} ${encoding}`,
      value: sizes[encoding],
      limit: limits?.[encoding]
    }))
  })
  return [...rows, { name: 'requests', value: requests, limit: budget.requests }]
}

/** The lines that exceed their limit. */
export function linesOverLimit(lines: readonly BudgetLine[]): BudgetLine[] {
  return lines.filter(({ value, limit }) => limit !== undefined && value > limit)
}
