// Prints a translation file for a language: every sentence of console and hub, with the translations that exist already.
//   node bundler/list-sentences.ts de > contract/text/translations/de.json
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { parseAst } from 'rollup/parseAst'
import { pairsIn, readTranslations } from './language-packs.ts'
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
  return [...new Set(sentences)].sort()
}

if (import.meta.main) {
  const [language = ''] = process.argv.slice(2)
  if (!/^[a-z]{2}$/.test(language)) {
    console.error('Give a two-letter language tag: node bundler/list-sentences.ts de')
    process.exit(2)
  }
  const existing = readTranslations().get(language) ?? {}
  const entries = listSentences().map((sentence) => [sentence, existing[sentence] ?? ''])
  console.log(JSON.stringify(Object.fromEntries(entries), undefined, 2))
}
