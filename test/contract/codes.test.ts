import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as codes from '../../contract/codes.ts'
import { CODE_KEYS } from '../../contract/codes.ts'

const test = suite('codes')

test('the common status list is whole: 0 to 54', () => {
  for (let code = 0; code <= 54; code++) assert.ok(CODE_KEYS[code], String(code))
})

test('no two codes share a key', () => {
  const keys = Object.values(CODE_KEYS)
  assert.equal(new Set(keys).size, keys.length)
})

test('every code that has a name has a key', () => {
  const named = Object.entries(codes).filter(([, code]) => typeof code === 'number')
  assert.ok(named.length > 20)
  for (const [name, code] of named) assert.ok(CODE_KEYS[Number(code)], name)
})

test.run()
