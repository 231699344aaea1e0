// Size budget: bytes that a browser downloads, compared with the limits in `size-budget.json`.
import type { Manifest } from './manifest.ts'

/** Bytes. */
export interface Sizes {
  raw: number
  gzip: number
  brotli: number
}

export const ENCODINGS = ['raw', 'gzip', 'brotli'] as const

export interface MeasuredSizes {
  /**
   * Sizes by name: 'html', 'css', 'js', 'later', and for each language its pack, the part of it that is loaded with the
   * later script, the first load, and all of it: 'pack en', 'later-pack en', 'first en', 'total en'.
   */
  artefacts: Record<string, Sizes>
  /** Number of files of the first load. */
  requests: number
}

/** Content of `size-budget.json`. An absent limit is not enforced. */
export interface Budget {
  requests: number
  html?: Partial<Sizes>
  css?: Partial<Sizes>
  /** The script of the first load. */
  js?: Partial<Sizes>
  /** The script that the console loads when it is idle. */
  later?: Partial<Sizes>
  /** For each language: the sentences of the first script, and those of the later one. */
  pack?: Partial<Sizes>
  'later-pack'?: Partial<Sizes>
  /** For the first load in each language: page, style sheet, first script and language pack. */
  first?: Partial<Sizes>
  /** For the whole console in each language. */
  total?: Partial<Sizes>
}

/** The help page opens in another tab and is not counted. */
export const HELP_PAGE = /^help\.(html|css)$/

/** File names of a language pack: the sentences of the first script, and those of the later one. */
const LANGUAGE_PACK = /^assets\/([a-z]{2})-(later-)?[0-9a-f]{8}\.txt$/

/** File name of the script that is not part of the first load. */
const LATER_SCRIPT = /^assets\/later-[0-9a-f]{8}\.js$/

const addSizes = (a: Sizes, b: Sizes): Sizes => ({
  raw: a.raw + b.raw,
  gzip: a.gzip + b.gzip,
  brotli: a.brotli + b.brotli
})

/**
 * Adds up the sizes of all pages, style sheets and scripts. A browser loads one language pack, so there is a total per
 * language. A bundle without language packs has one total.
 */
export function measureFiles<File extends { path: string }>(
  files: readonly File[],
  sizesOf: (file: File) => Sizes
): MeasuredSizes {
  const empty: Sizes = { raw: 0, gzip: 0, brotli: 0 }
  const kinds: Record<string, Sizes> = { html: empty, css: empty, js: empty }
  const packs: [name: string, sizes: Sizes][] = []
  const laterPacks: [name: string, sizes: Sizes][] = []
  let later = empty
  let requests = 0
  for (const file of files) {
    const [, language, isLater] = LANGUAGE_PACK.exec(file.path) ?? []
    if (language) (isLater ? laterPacks : packs).push([` ${language}`, sizesOf(file)])
    const [, kind = ''] = /\.(html|css|js)$/.exec(file.path) ?? []
    const kindSizes = kinds[kind]
    if (!kindSizes || HELP_PAGE.test(file.path)) continue
    if (LATER_SCRIPT.test(file.path)) {
      later = addSizes(later, sizesOf(file))
      continue
    }
    kinds[kind] = addSizes(kindSizes, sizesOf(file))
    requests++
  }
  const common = Object.values(kinds).reduce(addSizes)
  const artefacts: Record<string, Sizes> = { ...kinds, later }
  const totals = packs.length > 0 ? packs : [['', empty] as const]
  for (const [name, sizes] of packs) artefacts[`pack${name}`] = sizes
  for (const [name, sizes] of laterPacks) artefacts[`later-pack${name}`] = sizes
  for (const [name, sizes] of totals) artefacts[`first${name}`] = addSizes(common, sizes)
  for (const [name, sizes] of totals)
    artefacts[`total${name}`] = [common, later, sizes, artefacts[`later-pack${name}`] ?? empty].reduce(addSizes)
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
