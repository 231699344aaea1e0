// The build step that takes out of packages what nothing here uses, and that our sources do without it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { ABSENT, COMES_TO, THROWS, UNDRAWN, withoutAbsent } from '../../absent.mjs'

const test = suite('absent')

const PACKAGES: Readonly<Record<string, string>> = {
  preact: 'node_modules/preact/{src,hooks/src}/**/*.js',
  nanostores: 'node_modules/nanostores/{atom,computed,lifecycle}/index.js',
  wouter: 'node_modules/wouter/src/index.js'
}

const sources = (pattern: string) => globSync(pattern).map((file) => [file, readFileSync(file, 'utf8')] as const)

test('what is read of an absent name is undefined, also through calls and chains', () => {
  const source = `export default (c) => [c.gone && c.gone(1), c.a?.gone?.b, c.here.gone, c.here]`
  const text = withoutAbsent(source, { names: ['.gone'] }, parseAst)
  assert.doesNotMatch(text, /gone/)
  const read = new Function(`return ${text.replace('export default', '')}`)()
  assert.deepEqual(read({ gone: () => 1, a: { gone: { b: 2 } }, here: 3 }), [undefined, undefined, undefined, 3])
})

test('what is set of an absent name is only its value, and what is chosen at run time stays', () => {
  const source = `export const a = (c) => { c.gone = b(1); c['gone'] = { gone: 3 } }`
  assert.equal(
    withoutAbsent(source, { names: ['.gone'] }, parseAst),
    `export const a = (c) => { (b(1)); c['gone'] = { gone: 3 } }`
  )
})

test('a property can be absent of one thing only, by what that is called', () => {
  const source = `export default [options.gone, this.options.gone, other.gone]`
  assert.equal(
    withoutAbsent(source, { names: ['options.gone'] }, parseAst),
    `export default [(void 0), (void 0), other.gone]`
  )
})

test('an absent variable is undefined where it is read, and stays where it is only named', () => {
  const source = `export function f(gone, c) { const late = gone; return { gone: c.gone, late: g(gone) } }`
  assert.equal(
    withoutAbsent(source, { names: ['gone'] }, parseAst),
    `export function f(gone, c) { const late = (void 0); return { gone: c.gone, late: g((void 0)) } }`
  )
})

test('a flag that is never set is not looked for, and what an absent variable begins with is not asked', () => {
  const source = `const gone = a.b(); if (c.bits & FLAG) x(); c.bits |= FLAG; c.bits |= OTHER`
  assert.equal(
    withoutAbsent(source, { names: ['gone', 'FLAG'] }, parseAst),
    `const gone = (void 0); if (0) x(); (void 0); c.bits |= OTHER`
  )
})

test('what is compared with an undrawn text is another, and nothing else that has the text changes', () => {
  const source = `export default (a) => [a == 'math', 'math' !== a, 'math' in a, a + 'math', a < 'math', f('math'), a == 8]`
  assert.equal(
    withoutAbsent(source, { texts: ['math', 8] }, parseAst),
    `export default (a) => [false, true, false, a + 'math', a < 'math', f('math'), false]`
  )
})

test('an expression comes to another wherever it stands, however it is written', () => {
  const source = `export default f(a.b( "x" ), a.b('y')) || (a.b('x'))`
  assert.equal(
    withoutAbsent(source, { comesTo: { "a.b('x')": '0' } }, parseAst),
    `export default f(0, a.b('y')) || (0)`
  )
})

test('what is caught only to be thrown on is not caught, and what else is done with it stays', () => {
  const source = `try { a() } catch (e) { options.give(e, 1) } try { b() } catch (e) { c(); options.give(e) } try { d() } finally { f() }`
  assert.equal(
    withoutAbsent(source, { thrower: 'options.give' }, parseAst),
    `{ a() } try { b() } catch (e) { c(); options.give(e) } try { d() } finally { f() }`
  )
})

test('each name, text and expression of the lists is there to be taken out', () => {
  for (const [name, pattern] of Object.entries(PACKAGES)) {
    const said = sources(pattern)
    const taken = (list: Parameters<typeof withoutAbsent>[1]) =>
      said.some(([, source]) => withoutAbsent(source, list, parseAst) !== source)
    assert.ok(said.length > 0, name)
    for (const one of ABSENT[name] ?? []) assert.ok(taken({ names: [one] }), one)
    for (const one of UNDRAWN[name] ?? []) assert.ok(taken({ texts: [one] }), String(one))
    for (const one of Object.keys(COMES_TO[name] ?? {})) assert.ok(taken({ comesTo: { [one]: 'taken' } }), one)
    if (THROWS[name]) assert.ok(taken({ thrower: THROWS[name] }), THROWS[name])
  }
})

const OURS = sources('src/**/*.{ts,tsx}')

function nobodyHas(wanting: RegExp): void {
  assert.ok(OURS.length > 50)
  for (const [file, source] of OURS) {
    for (const line of source.split('\n')) assert.doesNotMatch(line, wanting, file)
  }
}

test('no source of the console draws what is taken to be undrawn, or moves what it draws into another document', () => {
  const texts = Object.values(UNDRAWN)
    .flat()
    .filter((text) => typeof text === 'string')
    .join('|')
  nobodyHas(new RegExp(`<(${texts})\\b|\\b(${texts}|is)=|\\b(createPortal|hydrate|Router)\\b.* from '(preact|wouter)`))
})

test('no source of the console has styles as text, catches pointers, or links with a space', () => {
  nobodyHas(/\bstyle=["'`]|PointerCapture=|\bxlink/)
})

test('no element of the console is of a form elsewhere', () => {
  nobodyHas(/<[a-z]\w*\b[^>]* form=/)
})

test('references of the console are places for elements, which no component is', () => {
  nobodyHas(/<[A-Z][^>]* ref=|\bref=\{(?![a-z]+\})/)
})

test('no source of the console has a class component, a context, waits for one, or sets options of Preact', () => {
  const methods = ABSENT.preact
    ?.filter((name) => /^\.(component|contextType|get)/.test(name))
    .map((name) => name.slice(1))
  assert.ok(methods && methods.length > 8)
  nobodyHas(new RegExp(`\\b(${methods.join('|')})\\b|\\b(Pure)?Component\\b.* from '(react|preact)'`))
  nobodyHas(/\b(Suspense|lazy|options|createContext|useContext|useReducer)\b.* from 'react'/)
})

test('the console is drawn once, into a place that was made empty', () => {
  const drawing = OURS.filter(([, source]) => /import \{[^}]*\brender\b.* from '(preact|react)'/.test(source))
  assert.deepEqual(
    drawing.map(([file]) => file),
    ['src/main.tsx']
  )
  assert.match(drawing[0]?.[1] ?? '', /root\.replaceChildren\(\)\n\s*render\(/)
})

test('nothing here is called as what Preact keeps to itself, whose names become others', () => {
  for (const [file, source] of [...OURS, ...sources('contract/**/*.ts')])
    assert.doesNotMatch(source, /\._[a-z]|[{,]\s*['"]?_[a-z]\w*['"]?:|\b__hooks\b/, file)
})

test.run()
