import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createNameMatcher, pinyinInitials } from '../../../contract/text/name-match.ts'

const test = suite('search by name')

test('Chinese names have the initials of their pinyin, of all 23 letters', () => {
  const names: readonly (readonly [name: string, initials: string])[] = [
    ['教学楼', 'jxl'],
    ['大礼堂 2', 'dlt2'],
    ['Studio 演播厅', 'studioybt'],
    ['安吧才东恩风', 'abcdef'],
    ['高会经科路门', 'ghjklm'],
    ['南欧盘七人', 'nopqr'],
    ['三体外新医中', 'stwxyz'],
    ['吖做', 'az']
  ]
  for (const [name, initials] of names) assert.equal(pinyinInitials(name), initials, name)
})

test('a name matches a part of it in any case, or of its initials', () => {
  const matches = (search: string, name: string) => createNameMatcher(search)(name)
  assert.ok(matches('ALL 1', 'Hall 1'))
  assert.ok(matches('jxl', '教学楼 3'))
  assert.ok(matches('XL3', '教学楼 3'))
  assert.ok(matches('学楼', '教学楼'))
  assert.ok(!matches('jlx', '教学楼'))
  // Initials are of Chinese names only, and have no punctuation.
  assert.ok(!matches('hall1', 'Hall 1'))
  assert.ok(!matches('j-', '教学楼'))
})

test.run()
