// The build step that moves the sentences of the script into one pack for each language.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { extractPairs, packsOf, readTranslations } from '../../bundler/language-packs.ts'
import { updateTranslations } from '../../bundler/list-sentences.ts'

const test = suite('language packs')

const extract = (source: string) => extractPairs(source, parseAst)

/** Runs a script after extraction, with `t` reading the pack of a language. */
function run(source: string, language: string): unknown {
  const { script, pairs } = extract(source)
  const pack = packsOf(pairs, new Map()).get(language)
  return new Function('t', script.replace('export default', 'return'))((number: number) => pack?.[number])
}

test('a translation is replaced by the index of its sentence in the language packs', () => {
  const source = `const TEXT = { stop: ['Stop', '停止'], start: ["Start", "启动"] }
    export default [t(TEXT.stop), t(TEXT['start'])]`
  assert.doesNotMatch(extract(source).script, /Stop/)
  assert.deepEqual(run(source, 'en'), ['Stop', 'Start'])
  assert.deepEqual(run(source, 'zh'), ['停止', '启动'])
})

test('a pair chosen at run time is found, and no pair has the number 0, which code takes for a missing sentence', () => {
  const source = `const TEXT = { a: ['A', '甲'], b: ['B', '乙'] }
    export default Object.keys(TEXT).map((name) => TEXT[name] ? t(TEXT[name]) : 'none')`
  assert.deepEqual(run(source, 'zh'), ['甲', '乙'])
})

test('equal pairs have one number; a pair that differs in one language has its own', () => {
  const { script, pairs } = extract(`export default [['Stop', '停止'], ['Stop', '停止'], ['Stop', '停']]`)
  assert.match(script, /\[1, 1, 2\]/)
  assert.equal(pairs.length, 3)
})

test('sentences keep escaped characters', () => {
  const source = `export default [t(['It\\'s \\u00a9 "x"\\n\\\\', '\\u4e2d“\\t”']), t(["Don't {0} $& $1 |", '别 {0}'])]`
  assert.deepEqual(run(source, 'en'), ['It\'s © "x"\n\\', "Don't {0} $& $1 |"])
  assert.deepEqual(run(source, 'zh'), ['中“\t”', '别 {0}'])
})

test('a sentence that is equal in both languages is a pair; other arrays are left alone', () => {
  const source = `const [a, b] = ['kbps', 'Mbps']
    export default [t(['CPU', 'CPU']), [a, b], ['a', 1], ['停'], ['a', '停', 'b'], ['a', \`停\${a}\`]]`
  assert.deepEqual(run(source, 'en'), ['CPU', ['kbps', 'Mbps'], ['a', 1], ['停'], ['a', '停', 'b'], ['a', '停kbps']])
})

test('a further language takes its sentences by their English, and English where it has none', () => {
  const { pairs } = extract(`export default [['Stop', '停止'], ['Start', '启动']]`)
  const packs = packsOf(pairs, new Map([['de', { Stop: 'Anhalten' }]]))
  assert.deepEqual([...packs.keys()], ['en', 'zh', 'de'])
  assert.deepEqual(packs.get('de'), ['', 'Anhalten', 'Start'])
})

test('the translation file of a new language is created, keeps its translations, and loses sentences that no longer exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-translations-'))
  try {
    const path = updateTranslations('xx', folder)
    const created = JSON.parse(readFileSync(path, 'utf8'))
    assert.equal(created['Sign in'], '')
    assert.equal(created[''], undefined)
    writeFileSync(path, JSON.stringify({ 'Sign in': 'Anmelden', 'No such sentence': 'x' }))
    updateTranslations('xx', folder)
    const updated = JSON.parse(readFileSync(path, 'utf8'))
    assert.equal(updated['Sign in'], 'Anmelden')
    assert.deepEqual(Object.keys(updated), Object.keys(created))
    writeFileSync(path, '')
    assert.throws(() => readTranslations(folder), /Cannot read the translations in .*xx\.json/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
