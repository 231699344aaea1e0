import assert from 'node:assert/strict'
import { basename, posix } from 'node:path'
import { suite } from 'uvu'
import { citationsIn, exists } from './citations.ts'
import { commentsOf } from './language.ts'
import { projectFiles, textOf } from './sources.ts'

const test = suite('citations')

const paths = projectFiles()
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

test('every file that a comment cites exists', () => {
  const sources = paths.filter((path) => /\.(tsx?|mjs|c|h|scss)$/.test(path) && !/^test\/house\/citations/.test(path))
  assert.ok(sources.length > 500)
  assert.deepEqual(
    sources.flatMap((path) => deadCitations(path, commentsOf(textOf(path)).join('\n'), false)),
    []
  )
})

test('every file that a document cites or links exists', () => {
  const documents = paths.filter((path) => path.endsWith('.md'))
  assert.ok(documents.length > 20)
  assert.deepEqual(
    documents.flatMap((path) => deadCitations(path, textOf(path), true)),
    []
  )
})

test.run()
