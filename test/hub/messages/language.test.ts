import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LANGUAGE_COOKIE } from '../../../contract/language.ts'
import { languageOf, say } from '../../../hub/messages/language.ts'

const test = suite('language')

const asked = (headers: Record<string, string>) => languageOf(new Headers(headers))

test('a request is answered in the language that was chosen, else in what the browser wants first, else in English', () => {
  const chinese = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }
  assert.equal(asked({}), 'en')
  assert.equal(asked(chinese), 'zh')
  assert.equal(asked({ 'accept-language': 'de-DE,zh;q=0.5' }), 'en')
  assert.equal(asked({ cookie: `sid=1; ${LANGUAGE_COOKIE}=zh` }), 'zh')
  assert.equal(asked({ ...chinese, cookie: `${LANGUAGE_COOKIE}=en;sid=1` }), 'en')
  for (const cookie of [`x${LANGUAGE_COOKIE}=en`, `${LANGUAGE_COOKIE}=fr`, `${LANGUAGE_COOKIE}=enough`])
    assert.equal(asked({ ...chinese, cookie }), 'zh', cookie)
})

test('values stand where the sentence wants them, and mean nothing in it', () => {
  assert.equal(say('en', ['{0} of {1}', '{1} 之 {0}'], ['a', 2]), 'a of 2')
  assert.equal(say('zh', ['{0} of {1}', '{1} 之 {0}'], ['a', 2]), '2 之 a')
  assert.equal(say('en', ['{name}: {name}', '{name}：{name}'], { name: '{name} $&' }), '{name} $&: {name} $&')
  assert.equal(say('en', ['{toString}', '{toString}']), '{toString}')
})

test.run()
