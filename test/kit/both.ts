// Sentences in both languages, of the hub and of the console.
import assert from 'node:assert/strict'
import type { Language } from '../../contract/language.ts'

/** What `say` says in English and in Chinese. */
export function both<Said>(say: (language: Language) => Said): [en: Said, zh: Said] {
  return [say('en'), say('zh')]
}

/** Demands the same number of sentences in both languages, each in its own, and no place left without its value. */
export function assertTranslated(say: (language: Language) => readonly string[]): void {
  const [en, zh] = both(say)
  assert.ok(en.length > 0)
  assert.equal(en.length, zh.length)
  for (const line of en) assert.match(line, /^[\x20-\x7e]*[A-Za-z][\x20-\x7e]*$/)
  for (const line of zh) assert.match(line, /[\u4e00-\u9fff]/)
  for (const line of [...en, ...zh]) assert.doesNotMatch(line, /[{}]|undefined/)
}
