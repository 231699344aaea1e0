// The translation files of further languages, compared with the sentences of the sources.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { readTranslations } from '../../bundler/language-packs.ts'
import { listSentences } from '../../bundler/list-sentences.ts'

const test = suite('translations')

const placeholders = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort().join()

/** Faults of a translation file. */
function faultsOf(translations: Readonly<Record<string, string>>, sentences: ReadonlySet<string>): string[] {
  return Object.entries(translations).flatMap(([sentence, translation]) => {
    if (!sentences.has(sentence)) return [`'${sentence}' is not in the sources`]
    const isDifferent = translation && placeholders(translation) !== placeholders(sentence)
    return isDifferent ? [`'${translation}' has other placeholders`] : []
  })
}

test('translations have the placeholders of their sentences, and no sentence that is not in the sources', () => {
  const sentences = new Set(listSentences())
  assert.ok(sentences.size > 500)
  assert.deepEqual(faultsOf({ 'No such sentence': 'x' }, sentences), ["'No such sentence' is not in the sources"])
  assert.deepEqual(faultsOf({ '{0} of {1} free': 'frei: {0}' }, sentences), ["'frei: {0}' has other placeholders"])
  assert.deepEqual(faultsOf({ 'Sign in': '' }, sentences), [])
  for (const [language, translations] of readTranslations()) {
    assert.match(language, /^[a-z]{2}$/)
    assert.deepEqual(faultsOf(translations, sentences), [], language)
  }
})

test.run()
