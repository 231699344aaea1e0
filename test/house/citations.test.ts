import assert from 'node:assert/strict'
import { basename, posix } from 'node:path'
import { suite } from 'uvu'
import { citationsIn, commentsOf, exists, foreignCitations } from './citations.ts'
import { projectFiles, textOf } from './sources.ts'

const test = suite('citations')

const paths = projectFiles()
/** Sources with comments, without this test, whose examples are not there. */
const sources = paths.filter((path) => /\.(tsx?|mjs|c|h|scss)$/.test(path) && !/^test\/house\/citations/.test(path))
const documents = paths.filter((path) => path.endsWith('.md'))
const files = new Set(paths)
const names = new Set(paths.map((path) => basename(path)))

/** Citations of missing files. How-to documents (`new-*.md`) name files that do not exist yet. */
function deadCitations(path: string, text: string, isDocument: boolean): string[] {
  const cited = citationsIn(text, isDocument)
  const links = cited.links.map((link) => posix.normalize(posix.join(posix.dirname(path), link)))
  const isHowTo = /^docs\/new-|^CONTRIBUTING/.test(path)
  const dead = [
    ...links.filter((link) => !exists(link, files)),
    ...(isHowTo ? [] : cited.paths.filter((cited) => !exists(cited, files))),
    ...(isHowTo ? [] : cited.names.filter((name) => !names.has(name)))
  ]
  return dead.map((citation) => `${path}: ${citation}`)
}

test('citations are found, and files that do not exist', () => {
  const text = 'See `hub/auth/gate.ts`, engine/srt/, `gate.ts`, [one](../a.md), [site](https://example.com/docs/x.md).'
  assert.deepEqual(citationsIn(text, true), {
    paths: ['hub/auth/gate.ts', 'engine/srt/'],
    names: ['gate.ts'],
    links: ['../a.md']
  })
  assert.ok(exists('hub/auth/gate.ts', files))
  assert.ok(exists('engine/srt/', files))
  assert.equal(exists('hub/auth/door.ts', files), false)
})

test('comments are found, and strings are none', () => {
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
    assert.equal(foreignCitations(text).length, 1, text)
  assert.deepEqual(foreignCitations('RFC 8216, docs/wire.md, docs/specification.md, the design of 2024-style'), [])
})

test('no comment and no document cites a document outside the repository', () => {
  const cited = (path: string, text: string) => foreignCitations(text).map((citation) => `${path}: ${citation}`)
  assert.deepEqual(
    [
      ...sources.flatMap((path) => cited(path, commentsOf(textOf(path)).join('\n'))),
      ...documents.flatMap((path) => cited(path, textOf(path)))
    ],
    []
  )
})

test('every file that a comment cites exists', () => {
  assert.ok(sources.length > 500)
  assert.deepEqual(
    sources.flatMap((path) => deadCitations(path, commentsOf(textOf(path)).join('\n'), false)),
    []
  )
})

test('every file that a document cites or links exists', () => {
  assert.ok(documents.length > 20)
  assert.deepEqual(
    documents.flatMap((path) => deadCitations(path, textOf(path), true)),
    []
  )
})

test.run()
