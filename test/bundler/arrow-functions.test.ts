import assert from 'node:assert/strict'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { withArrowFunctions } from '../../bundler/arrow-functions.ts'

const test = suite('arrow functions')

const convert = (source: string) => withArrowFunctions(source, parseAst(source).body as never)
const isKept = (source: string) => assert.equal(convert(source), source)

test('a function declaration becomes an arrow function on the same lines', () => {
  assert.equal(convert('function a(b, c = 1) {\n  return b + c\n}'), 'const a = (b, c = 1) => {\n  return b + c\n};')
  assert.equal(convert('export async function a() {}'), 'export const a = async () => {};')
  assert.equal(convert('const x = 1\nfunction a() {}\nlet y'), 'const x = 1\nconst a = () => {};\nlet y')
})

test('a function that code above it calls on import stays a declaration', () => {
  isKept('const x = a()\nfunction a() {}')
  isKept('const x = list.map((each) => a(each))\nfunction a() {}')
  isKept('const x = new Store({ load: () => a() })\nfunction a() {}')
  isKept('const table = { run: a }\nfunction a() {}')
  isKept('class Store { value = a() }\nfunction a() {}')
})

test('a function that code above it reaches through another one stays a declaration', () => {
  const converted = convert('function first() {\n  return last()\n}\nconst x = first()\nfunction last() {}')
  assert.equal(converted, 'const first = () => {\n  return last()\n};\nconst x = first()\nfunction last() {}')
  const row = convert('const row = { text: () => last() }\nconst x = build(row)\nfunction last() {}')
  assert.equal(row, 'const row = { text: () => last() }\nconst x = build(row)\nfunction last() {}')
})

test('a function that only later calls reach is converted', () => {
  const row = 'const row = { text: () => last() }\n'
  assert.equal(convert(`${row}function last() {}`), `${row}const last = () => {};`)
  assert.equal(convert('function a() {}\nconst x = a()'), 'const a = () => {};\nconst x = a()')
  assert.equal(convert('const x = y.a.b({ a: 1 })\nfunction a() {}'), 'const x = y.a.b({ a: 1 })\nconst a = () => {};')
})

test('a function with a this, arguments or instances of its own stays a declaration', () => {
  isKept('function a() {\n  return this.b\n}')
  isKept('function a() {\n  return () => arguments[0]\n}')
  isKept('function a() {}\nconst make = () => new a()')
  isKept('function* a() {}')
  isKept('function a() {}\nconst set = () => {\n  a = null\n}')
  const inner = 'function () {\n    return this.b\n  }'
  assert.equal(convert(`function a() {\n  return ${inner}\n}`), `const a = () => {\n  return ${inner}\n};`)
})

test.run()
