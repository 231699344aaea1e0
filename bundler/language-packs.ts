// Takes the sentences out of the script, into one pack for each language: a browser downloads the pack of its own
// language only. In the sources each sentence is a pair of English and Chinese at the place of use; the bundle contains
// a number instead, the index of the sentence in every pack, which all scripts share. Saves 3.2 KB brotli. Each pack is
// two files with one sentence in each line: the sentences of the first script, and the further ones of the later
// script, which is loaded with it and saves the first load 5 KB brotli. `docs/new-language.md` explains how to add a
// language.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rollup'
import type { Page } from './page.ts'
import { root } from './project.ts'

/**
 * Where translations to further languages are: a file `<language>.json` for each, from English sentence to translation.
 */
export const TRANSLATIONS = join(root, 'contract/text/translations')

type Parse = (source: string) => unknown

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

const CHINESE = /[\u3000-\u9fff\uff00-\uffef]/

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** An array of two string literals is a pair of sentences when the second is Chinese, or both are the same. */
function sentencesOf(node: Node): [en: string, zh: string] | undefined {
  if (node.type !== 'ArrayExpression') return undefined
  const elements = node.elements as (Node | null)[]
  const [en, zh, ...more] = elements.map((element) => (element?.type === 'Literal' ? element.value : undefined))
  if (more.length || typeof en !== 'string' || typeof zh !== 'string') return undefined
  return CHINESE.test(zh) || en === zh ? [en, zh] : undefined
}

export interface FoundPair {
  start: number
  end: number
  en: string
  zh: string
}

/** The pairs of sentences below an ESTree node or a list of nodes, in order of the source. */
export function pairsIn(node: unknown): FoundPair[] {
  if (Array.isArray(node)) return node.flatMap(pairsIn)
  if (!isNode(node)) return []
  const sentences = sentencesOf(node)
  if (sentences) return [{ start: node.start, end: node.end, en: sentences[0], zh: sentences[1] }]
  return Object.values(node)
    .filter((value) => typeof value === 'object')
    .flatMap(pairsIn)
    .sort((a, b) => a.start - b.start)
}

export interface Extracted {
  /** The script with a number in place of each pair. */
  script: string
  /** Sentences by number. Number 0 is empty, because code tests for a missing sentence by truth. */
  pairs: (readonly [en: string, zh: string])[]
}

/**
 * Replaces each pair of a script by its number. Equal pairs have one number.
 * @param before pairs of other scripts, which keep their numbers
 */
export function extractPairs(source: string, parse: Parse, before: Extracted['pairs'] = [['', '']]): Extracted {
  const pairs = [...before]
  const numbers = new Map(pairs.map(([en, zh], number) => [`${en}\n${zh}`, number]))
  let script = ''
  let end = 0
  for (const pair of pairsIn(parse(source))) {
    const key = `${pair.en}\n${pair.zh}`
    const number = numbers.get(key) ?? pairs.push([pair.en, pair.zh]) - 1
    numbers.set(key, number)
    script += source.slice(end, pair.start) + number
    end = pair.end
  }
  return { script: script + source.slice(end), pairs }
}

/** The translations of the languages that have a file of their own. @throws Error that names a file that is not JSON */
export function readTranslations(folder = TRANSLATIONS): Map<string, Record<string, string>> {
  const files = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name.endsWith('.json'))
  return new Map(
    files.map(({ name }) => {
      const path = join(folder, name)
      try {
        return [name.slice(0, -5), JSON.parse(readFileSync(path, 'utf8'))]
      } catch (error) {
        throw new Error(`Cannot read the translations in ${path}: ${(error as Error).message}`)
      }
    })
  )
}

/**
 * The sentences of each language, in order of their numbers. A sentence without a translation stays English.
 * @param translations of further languages
 */
export function packsOf(
  pairs: Extracted['pairs'],
  translations: ReadonlyMap<string, Readonly<Record<string, string>>>
): Map<string, string[]> {
  const packs = new Map([
    ['en', pairs.map(([en]) => en)],
    ['zh', pairs.map(([, zh]) => zh)]
  ])
  for (const [language, sentences] of translations)
    packs.set(
      language,
      pairs.map(([en]) => sentences[en] || en)
    )
  return packs
}

/**
 * The build step. It runs before the minifier, which would reorder the pairs. A script with a source map keeps its
 * pairs.
 * @param page receives the names of the two files of each pack by language, and the numbers of sentences in them
 * @param reworded pairs that replace others, by the English sentence of these
 */
export function languagePacks(
  page: Pick<Page, 'packs' | 'sentences'>,
  reworded: Readonly<Record<string, readonly [en: string, zh: string]>> = {}
): Plugin {
  let firstCount = 0
  let pairs: Extracted['pairs'] | undefined
  let first = Promise.withResolvers<void>()
  return {
    name: 'language-packs',
    renderStart() {
      pairs = undefined
      first = Promise.withResolvers()
    },
    async renderChunk(source, { isEntry }, { sourcemap }) {
      // Rollup renders both scripts at the same time. The first one is numbered first, so that the same sources give
      // the same numbers.
      if (!isEntry) await first.promise
      const extracted = extractPairs(source, (text) => this.parse(text), pairs)
      pairs = extracted.pairs
      if (isEntry) firstCount = pairs.length
      first.resolve()
      return sourcemap ? null : extracted.script
    },
    generateBundle() {
      page.packs = {}
      const unknown = Object.keys(reworded).find((sentence) => !pairs?.some(([en]) => en === sentence))
      if (unknown) this.error(`No part of the bundle says “${unknown}”, which is to be reworded.`)
      const worded = (pairs ?? []).map((pair) => reworded[pair[0]] ?? pair)
      for (const [language, sentences] of packsOf(worded, readTranslations())) {
        const parts = { [language]: sentences.slice(0, firstCount), [`${language}-later`]: sentences.slice(firstCount) }
        page.sentences = Object.values(parts).map(({ length }) => length)
        page.packs[language] = Object.entries(parts).map(([name, part]) => {
          const source = part.join('\n')
          const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
          const fileName = `assets/${name}-${hash}.txt`
          this.emitFile({ type: 'asset', fileName, source })
          return fileName
        })
      }
    }
  }
}
