// Sentences of the hub and the console in both languages.
import assert from 'node:assert/strict'
import type { Language } from '../../contract/text/language.ts'

/** Returns the result of `translate` for English and for Chinese. */
export function inBothLanguages<T>(translate: (language: Language) => T): [en: T, zh: T] {
  return [translate('en'), translate('zh')]
}

/**
 * Asserts that both languages have the same number of sentences, each in its language, without unfilled placeholders.
 */
export function assertTranslated(translate: (language: Language) => readonly string[]): void {
  const [en, zh] = inBothLanguages(translate)
  assert.ok(en.length > 0)
  assert.equal(en.length, zh.length)
  for (const line of en) assert.match(line, /^[\x20-\x7e]*[A-Za-z][\x20-\x7e]*$/)
  for (const line of zh) assert.match(line, /[\u4e00-\u9fff]/)
  for (const line of [...en, ...zh]) assert.doesNotMatch(line, /[{}]|undefined/)
}
