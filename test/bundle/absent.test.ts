// The build step that takes away what packages look for in vain, and that our sources do without it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { ABSENT, UNDRAWN, withoutAbsent } from '../../absent.mjs'

const test = suite('absent')

test('what is read of an absent name is undefined, also through calls and chains', () => {
  const source = `export default (c) => [c.gone && c.gone(1), c.a?.gone?.b, c.here.gone, c.here]`
  const text = withoutAbsent(source, ['gone'], [], parseAst)
  assert.doesNotMatch(text, /gone/)
  const read = new Function(`return ${text.replace('export default', '')}`)()
  assert.deepEqual(read({ gone: () => 1, a: { gone: { b: 2 } }, here: 3 }), [undefined, undefined, undefined, 3])
})

test('where an absent name is set, or chosen at run time, it stays', () => {
  const source = `export const a = (c) => { c.gone = 1; c.x.gone.y = 2; c['gone'] = { gone: 3 } }`
  assert.equal(
    withoutAbsent(source, ['gone'], [], parseAst),
    `export const a = (c) => { c.gone = 1; (void 0).y = 2; c['gone'] = { gone: 3 } }`
  )
})

test('what is compared with an undrawn text is another, and nothing else that has the text changes', () => {
  const source = `export default (a) => [a == 'math', 'math' !== a, 'math' in a, a + 'math', a < 'math', f('math')]`
  assert.equal(
    withoutAbsent(source, [], ['math'], parseAst),
    `export default (a) => [false, true, false, a + 'math', a < 'math', f('math')]`
  )
})

test('no source of the console draws what is taken to be undrawn, or moves what it draws into another document', () => {
  const texts = Object.values(UNDRAWN).flat().join('|')
  const wanting = new RegExp(`<(${texts})\\b|\\b(${texts}|is)=|\\b(createContext|createPortal|hydrate|Router)\\b`)
  for (const file of globSync('src/**/*.tsx')) assert.doesNotMatch(readFileSync(file, 'utf8'), wanting, file)
})

test('no source of the console has a class component, waits for one, or sets options of Preact', () => {
  const methods = Object.values(ABSENT)
    .flat()
    .filter((name) => /^(component|contextType|get|ssr)/.test(name))
  const files = globSync('src/**/*.{ts,tsx}')
  assert.ok(files.length > 50 && methods.length > 10)
  const wanting = new RegExp(
    `\\b(${methods.join('|')})\\b|\\b(Pure)?Component\\b.* from '(react|preact)'|\\b(Suspense|lazy|options)\\b.* from`
  )
  for (const file of files) {
    for (const line of readFileSync(file, 'utf8').split('\n')) assert.doesNotMatch(line, wanting, file)
  }
})

test.run()
