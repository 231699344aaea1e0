import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { $language, setLanguage, type Translation, t } from '../../../src/text/language.ts'
import { mount } from '../../kit/console/mount.ts'

const test = suite('language')

const HELLO: Translation = ['Hello {0}, {1}', '你好 {0}，{1}']

test.before.each(() => setLanguage('en'))

test('a sentence appears in the current language', () => {
  assert.equal(t(['Stop', '停止']), 'Stop')
  setLanguage('zh')
  assert.equal(t(['Stop', '停止']), '停止')
})

test('placeholders are filled by position, from a list or by name', () => {
  assert.equal(t(HELLO, 'a', 2), 'Hello a, 2')
  assert.equal(t(HELLO, ['a', 2]), 'Hello a, 2')
  assert.equal(t(['Code {code}', '{code}'], { code: -4 }), 'Code -4')
  assert.equal(t(['{0} of {0}', ''], 0), '0 of 0')
})

test('a placeholder without a value stays, and values are inserted unchanged', () => {
  assert.equal(t(HELLO, 'a'), 'Hello a, {1}')
  assert.equal(t(HELLO, '$&', '{0}'), 'Hello $&, {0}')
})

test('the choice is kept in a cookie for 30 days and set on the document', () => {
  const written: string[] = []
  const own = Object.getOwnPropertyDescriptor(document, 'cookie')
  Object.defineProperty(document, 'cookie', { configurable: true, set: (text: string) => void written.push(text) })
  setLanguage('zh')
  if (own) Object.defineProperty(document, 'cookie', own)
  else Reflect.deleteProperty(document, 'cookie')
  assert.match(written[0] ?? '', /^headend-lang=zh; .*max-age=2592000/)
  assert.equal(document.documentElement.lang, 'zh-CN')
  setLanguage('en')
  assert.equal(document.documentElement.lang, 'en')
  assert.equal($language.get(), 'en')
})

test('values reach the page as text, not as HTML', () => {
  assert.equal(mount(<p>{t(HELLO, '<b>', 1)}</p>).querySelector('b'), null)
})

test.run()
