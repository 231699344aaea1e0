// The build step that gathers the words: run on small scripts, and the result executed.
import assert from 'node:assert/strict'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { gatherWords } from '../../words.mjs'

const test = suite('words')

const HEAD = `const WORDS = ['%ENGLISH%', "%CHINESE%"].map((words) => words.split('|'))
const say = (pair) => WORDS.map((words, place) => typeof pair === 'object' ? pair[place] : words[pair])
`

/** What the script, with its words gathered, answers. */
function run(source: string): unknown {
  return new Function(`${gatherWords(HEAD + source, parseAst).replace('export default', 'return')}`)()
}

test('a number stands for each pair, and leads to both languages', () => {
  const source = `const TEXT = { stop: ['Stop', '停止'], start: ["Start", "启动"] }
    export default [say(TEXT.stop), say(TEXT['start'])]`
  assert.doesNotMatch(gatherWords(HEAD + source, parseAst), /\['Stop'/)
  assert.deepEqual(run(source), [
    ['Stop', '停止'],
    ['Start', '启动']
  ])
})

test('pairs can be chosen at run time, and no pair has the number that counts as none', () => {
  const source = `const TEXT = { a: ['A', '甲'], b: ['B', '乙'] }
    export default Object.keys(TEXT).map((name) => TEXT[name] ? say(TEXT[name])[1] : 'none')`
  assert.deepEqual(run(source), ['甲', '乙'])
})

test('a pair said twice stands once', () => {
  const text = gatherWords(`${HEAD}export default [['Stop', '停止'], ['Stop', '停止'], ['Stop', '停']]`, parseAst)
  assert.match(text, /\[1, 1, 2\]/)
  assert.equal(text.match(/停止/g)?.length, 1)
})

test('words keep what was escaped in them', () => {
  const source = `export default [say(['It\\'s \\u00a9 "x"\\n\\\\', '\\u4e2d“\\t”']), say(["Don't {0} $& $1", '别 {0}'])]`
  assert.deepEqual(run(source), [
    ['It\'s © "x"\n\\', '中“\t”'],
    ["Don't {0} $& $1", '别 {0}']
  ])
})

test('words alike in both languages are a pair too; other lists stay lists', () => {
  const source = `const [a, b] = ['kbps', 'Mbps']
    export default [say(['CPU', 'CPU']), [a, b], ['a', 1], ['停'], ['a', '停', 'b'], ['a', \`停\${a}\`]]`
  assert.deepEqual(run(source), [['CPU', 'CPU'], ['kbps', 'Mbps'], ['a', 1], ['停'], ['a', '停', 'b'], ['a', '停kbps']])
})

test('a word with the sign that stands between words is refused, and so is a script without a place for them', () => {
  assert.throws(() => gatherWords(`${HEAD}export default ['a|b', '甲']`, parseAst), /must not have \|/)
  assert.throws(() => gatherWords(`export default ['a', '甲']`, parseAst), /No place/)
})

test.run()
