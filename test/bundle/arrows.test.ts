// The build step that writes functions as arrows: run on small scripts, and the result executed.
import assert from 'node:assert/strict'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { withArrows } from '../../arrows.mjs'

const test = suite('arrows')

const written = (source: string) => withArrows(source, parseAst)

/** What the script answers. */
const run = (source: string): unknown => new Function(written(source).replace('export default', 'return'))()

test('a function becomes an arrow, one inside another too', () => {
  const source = `function twice(n) { function add(m) { return n + m } return add(n) }
    async function later(n = 1, { m } = {}, ...rest) { return { n, m, rest } }
    export default [twice(2), typeof later]`
  assert.doesNotMatch(written(source), /function|return [n{]/)
  assert.deepEqual(run(source), [4, 'function'])
})

test('a function stays that is called before its line, be it by another one or later in a list', () => {
  const source = `const early = first(), list = [() => third()]
    function first() { return second() }
    function second() { return 2 }
    function third() { return list.length }
    function late() { return first() + third() }
    export default [early, list[0](), late()]`
  assert.deepEqual(
    [...written(source).matchAll(/function (\w+)/g)].map(([, name]) => name),
    ['first', 'second', 'third']
  )
  assert.deepEqual(run(source), [2, 1, 3])
})

test('a block is its own: what is called early outside of it may be an arrow in it', () => {
  const source = `const made = make()
    function make() { if (true) { const n = 1; function make() { return n } return make() } }
    export default made`
  assert.equal(written(source).match(/function /g)?.length, 1)
  assert.equal(run(source), 1)
})

test('a property that is called like a function does not call it', () => {
  const source = `const asked = { stop: 1 }.stop + [].concat({ stop: 2 }).length
    function stop() { return asked }
    export default stop()`
  assert.doesNotMatch(written(source), /function/)
  assert.equal(run(source), 2)
})

test('a function stays that has a this or arguments, makes instances, gives in steps or is replaced', () => {
  const source = `function This() { return [1].map(() => this) }
    function Arguments() { return arguments.length }
    function New() {}
    function* Steps() { yield 1 }
    function Replaced() { return 1 }
    Replaced = () => 2
    function Inside() { return function () { return this } }
    export default [new New() instanceof New, Arguments(1, 2), [...Steps()], Replaced(), typeof This, typeof Inside()]`
  assert.deepEqual(
    [...written(source).matchAll(/function\*? (\w+)/g)].map(([, name]) => name),
    ['This', 'Arguments', 'New', 'Steps', 'Replaced']
  )
})

test('what a function answers stays what it is: an object, a list of steps, nothing', () => {
  const source = `function object() { return { a: 1 } }
    function comma() { return 1, 2 }
    function nothing() { return }
    function text() { return \`\${object().a} {}\` }
    export default [object(), comma(), nothing(), text()]`
  assert.deepEqual(run(source), [{ a: 1 }, 2, undefined, '1 {}'])
})

test.run()
