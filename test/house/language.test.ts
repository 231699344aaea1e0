import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { bannedNames, commentsOf, declaredNames, faultsInComments, faultsInProse, wordsOf } from './language.ts'
import { projectFiles, textOf } from './sources.ts'

const test = suite('language')

const paths = projectFiles()
/** This test and its lists contain the forbidden words. */
const isOwn = (path: string) => /^test\/house\/language\./.test(path)
const sources = paths.filter((path) => /\.(tsx?|mjs|c|h|scss)$/.test(path) && !isOwn(path))

test('names are split into words', () => {
  assert.deepEqual(wordsOf('readBodyOf'), ['read', 'body', 'of'])
  assert.deepEqual(wordsOf('read-body.test.ts'), ['read', 'body', 'test', 'ts'])
  assert.deepEqual(bannedNames(['said', 'whatWasSaid', 'saidOf', 'TOLD_LAST', 'aid', 'toldest']), [
    'said',
    'whatWasSaid',
    'saidOf',
    'TOLD_LAST'
  ])
})

test('declared names are found, and strings and comments are none', () => {
  const source =
    "const a = 'const b'\n// const c\nfunction d() {}\ninterface E {\n  f: string\n  g?(x: number): void\n}\n"
  assert.deepEqual(declaredNames(source).sort(), ['E', 'a', 'd', 'f', 'g'])
})

test('phrases are found in comments, also across lines, and not in code', () => {
  const phrase = ['what', 'is'].join(' ')
  assert.equal(faultsInComments(`// Says what\n// is here`).length, 1)
  assert.deepEqual(faultsInComments(`const text = '${phrase}'`), [])
  assert.equal(faultsInProse(`It tells ${phrase} done`).length, 1)
  assert.deepEqual(commentsOf('a // b\n/* c */ d "http://e"'), ['// b', '/* c */'])
})

test('citations of documents outside the repository are found', () => {
  for (const text of [
    'as design 5 says',
    'specification 8',
    'see reference 4.6',
    'device-api 3.3',
    'style.md',
    'specification.md'
  ])
    assert.equal(faultsInProse(text).length, 1, text)
  assert.deepEqual(faultsInProse('RFC 8216, docs/wire.md, docs/specification.md, the design of 2024-style'), [])
})

test('file names have no banned word', () => {
  assert.deepEqual(bannedNames(paths), [])
})

test('names in the sources have no banned word', () => {
  const faults = sources
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .flatMap((path) => bannedNames(declaredNames(textOf(path)), path).map((name) => `${path}: ${name}`))
  assert.deepEqual(faults, [])
})

test('comments are plain English and cite nothing outside the repository', () => {
  assert.deepEqual(
    sources.flatMap((path) => faultsInComments(textOf(path)).map((fault) => `${path}: ${fault}`)),
    []
  )
})

test('documents are plain English and cite nothing outside the repository', () => {
  const documents = paths.filter((path) => path.endsWith('.md'))
  assert.ok(documents.length > 10)
  assert.deepEqual(
    documents.flatMap((path) => faultsInProse(textOf(path)).map((fault) => `${path}: ${fault}`)),
    []
  )
})

test.run()
