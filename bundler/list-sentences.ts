// Creates or updates the translation file of a language: every sentence of console and hub, with the translations that
// exist already.
//   node bundler/list-sentences.ts de
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { transformSync } from 'esbuild'
import { parseAst } from 'rollup/parseAst'
import { pairsIn, readTranslations, TRANSLATIONS } from './language-packs.ts'
import { root } from './project.ts'

/** The English sentences of all sources, sorted. */
export function listSentences(): string[] {
  const files = globSync(['src/**/*.{ts,tsx}', 'contract/**/*.ts', 'hub/**/*.ts'], { cwd: root })
  const sentences = files.flatMap((file) => {
    const loader = file.endsWith('x') ? 'tsx' : 'ts'
    const { code } = transformSync(readFileSync(join(root, file), 'utf8'), {
      loader,
      jsx: 'automatic',
      charset: 'utf8'
    })
    return pairsIn(parseAst(code)).map(({ en }) => en)
  })
  return [...new Set(sentences)].filter(Boolean).sort()
}

/**
 * Writes the file of a language. Translations of sentences that no longer exist are left out; new sentences have an
 * empty translation.
 * @returns the path of the file
 */
export function updateTranslations(language: string, folder = TRANSLATIONS): string {
  const existing = readTranslations(folder).get(language) ?? {}
  const entries = listSentences().map((sentence) => [sentence, existing[sentence] ?? ''])
  const path = join(folder, `${language}.json`)
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`)
  return path
}

if (import.meta.main) {
  const [language = ''] = process.argv.slice(2)
  if (!/^[a-z]{2}$/.test(language)) {
    console.error('Give a two-letter language tag: node bundler/list-sentences.ts de')
    process.exit(2)
  }
  console.log(`Updated ${relative(root, updateTranslations(language))}.`)
}
