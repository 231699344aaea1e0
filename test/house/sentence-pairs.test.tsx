import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as codes from '../../contract/codes.ts'
import { codeText, isKnownCode } from '../../hub/messages/codes.ts'
import { pairFault, pairsOf } from './sentence-pairs.ts'
import { projectFiles, textOf } from './sources.ts'

const test = suite('sentence pairs')

test('pairs of sentences are found, other lists are not', () => {
  const text = `const A = { a: ['One', '一'], b: [\n  "It's {0}",\n  '是 {0}'\n], c: ['x', 'y'], d: ['a', '一', 'b'] }`
  assert.deepEqual(pairsOf(text), [
    { en: 'One', zh: '一' },
    { en: "It's {0}", zh: '是 {0}' }
  ])
})

test('a pair in the wrong order, without a language or with different placeholders is a fault', () => {
  assert.equal(pairFault({ en: '{0} of {1}', zh: '{1} 之 {0}' }), undefined)
  assert.match(pairFault({ en: '一', zh: 'One' }) ?? '', /not English/)
  assert.match(pairFault({ en: '', zh: '一' }) ?? '', /no English/)
  assert.match(pairFault({ en: '{0} devices', zh: '设备' }) ?? '', /different values/)
})

test('every named code is in the list of result codes', () => {
  const named = Object.values(codes).filter((value) => typeof value === 'number')
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter((code) => codes.CODE_KEYS[code] === undefined),
    []
  )
})

test('every result code has a sentence in both languages', () => {
  const all = Object.keys(codes.CODE_KEYS).map(Number)
  assert.ok(all.length > 70)
  assert.deepEqual(
    all.filter((code) => !isKnownCode(code)),
    []
  )
  const english = all.map((code) => codeText('en', code))
  const chinese = all.map((code) => codeText('zh', code))
  assert.deepEqual(
    all.filter(
      (_, index) => !/^[\x20-\x7e]+$/.test(english[index] ?? '') || !/\p{Script=Han}/u.test(chinese[index] ?? '')
    ),
    []
  )
})

test('the sentences of a pair have the same placeholders', () => {
  const sources = projectFiles().filter((path) => /^(src|contract|hub)\/.*\.tsx?$/.test(path))
  const pairs = sources.flatMap((path) => pairsOf(textOf(path)).map((pair) => ({ path, ...pair })))
  assert.ok(pairs.length > 100, 'the pairs were not found')
  assert.deepEqual(
    pairs.flatMap(({ path, ...pair }) => {
      const fault = pairFault(pair)
      return fault ? [`${path}: ${fault}`] : []
    }),
    []
  )
})

test.run()
