import assert from 'node:assert/strict'
import { suite } from 'uvu'
import * as codes from '../../contract/codes.ts'
import { isCode, projectFiles, textOf } from './sources.ts'

const test = suite('result codes')

const NAMES = new Map(Object.entries(codes).flatMap(([name, code]) => (typeof code === 'number' ? [[code, name]] : [])))

/**
 * Codes of the hub, compared, returned or thrown. Devices have codes of their own, so their adapters, messages about
 * their activities and the demo devices are not searched.
 */
const LITERAL = /\bresult\b(?: [=!]== |: )(-?\d+)\b|\b(?:CallError|UploadRefused|LinkError)\((-?\d+)/g
const SEARCHED = /^(hub|src|engine|bench)\/(?!devices\/|messages\/activity\.ts)/

function literals(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  return [...code.matchAll(LITERAL)].flatMap(([found, compared, thrown]) => {
    const name = NAMES.get(Number(compared ?? thrown))
    return name ? [`${found} is ${name}`] : []
  })
}

test('literal codes are found', () => {
  assert.deepEqual(literals('if (result !== 0) throw new CallError(16) // result: 7'), [
    'result !== 0 is SUCCESS',
    'CallError(16 is NOT_EXIST'
  ])
  assert.deepEqual(literals("const result: 'ok' = x; return { result: 4711 }"), [])
})

test('result codes are written by their names', () => {
  const sources = projectFiles().filter((path) => isCode(path) && SEARCHED.test(path))
  assert.ok(sources.length > 500)
  assert.deepEqual(
    sources.flatMap((path) => literals(textOf(path)).map((found) => `${path}: ${found}`)),
    []
  )
})

test.run()
