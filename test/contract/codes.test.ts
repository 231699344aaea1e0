import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as codes from '../../contract/codes.ts'
import { CODE_KEYS } from '../../contract/codes.ts'

const test = suite('codes')

test('every common status code from 0 to 54 has a key', () => {
  for (let code = 0; code <= 54; code++) assert.ok(CODE_KEYS[code], String(code))
})

test('no two codes share a key', () => {
  const keys = Object.values(CODE_KEYS)
  assert.equal(new Set(keys).size, keys.length)
})

test('every exported code has a key', () => {
  const exportedCodes = Object.entries(codes).filter(([, code]) => typeof code === 'number')
  assert.ok(exportedCodes.length > 20)
  for (const [name, code] of exportedCodes) assert.ok(CODE_KEYS[Number(code)], name)
})

test.run()
