import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { LANGUAGE_COOKIE } from '../../../contract/text/language.ts'
import { loadTranslations, requestLanguage, translate } from '../../../hub/messages/language.ts'

const test = suite('language')

const languageFor = (headers: Record<string, string>) => requestLanguage(new Headers(headers))

test('the language is that of the cookie, else the first of Accept-Language, else English', () => {
  const chinese = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }
  assert.equal(languageFor({}), 'en')
  assert.equal(languageFor(chinese), 'zh')
  assert.equal(languageFor({ 'accept-language': 'de-DE,zh;q=0.5' }), 'en')
  assert.equal(languageFor({ cookie: `sid=1; ${LANGUAGE_COOKIE}=zh` }), 'zh')
  assert.equal(languageFor({ ...chinese, cookie: `${LANGUAGE_COOKIE}=en;sid=1` }), 'en')
  for (const cookie of [`x${LANGUAGE_COOKIE}=en`, `${LANGUAGE_COOKIE}=fr`, `${LANGUAGE_COOKIE}=enough`])
    assert.equal(languageFor({ ...chinese, cookie }), 'zh', cookie)
})

test('values replace placeholders and are not interpreted themselves', () => {
  assert.equal(translate('en', ['{0} of {1}', '{1} 之 {0}'], ['a', 2]), 'a of 2')
  assert.equal(translate('zh', ['{0} of {1}', '{1} 之 {0}'], ['a', 2]), '2 之 a')
  assert.equal(translate('en', ['{name}: {name}', '{name}：{name}'], { name: '{name} $&' }), '{name} $&: {name} $&')
  assert.equal(translate('en', ['{toString}', '{toString}']), '{toString}')
})

test('a further language is one file: its sentences by their English, and English where it has none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-languages-'))
  try {
    writeFileSync(join(folder, 'xx.json'), JSON.stringify({ '{0} of {1}': '{1} xx {0}', Stop: '' }))
    loadTranslations(folder)
    assert.equal(languageFor({ 'accept-language': 'xx-YY' }), 'xx')
    assert.equal(languageFor({ cookie: `${LANGUAGE_COOKIE}=xx` }), 'xx')
    assert.equal(translate('xx', ['{0} of {1}', '{1} 之 {0}'], ['a', 2]), '2 xx a')
    assert.equal(translate('xx', ['Stop', '停止']), 'Stop')
    assert.equal(translate('xx', ['Start', '启动']), 'Start')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.run()
