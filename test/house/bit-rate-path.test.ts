// The files that a bit rate passes, as docs/architecture/streams/bit-rate.md lists them.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { textOf } from './sources.ts'

const test = suite('path of a bit rate')

const ROW = /^\| `([^`]+)` \| `([^`]+)` \|/

/** The tables of the document, each as pairs of a file and a name in it. */
function tables(): [file: string, name: string][][] {
  const found: [string, string][][] = []
  let isInTable = false
  for (const line of textOf('docs/architecture/streams/bit-rate.md').split('\n')) {
    const [, file, name] = ROW.exec(line) ?? []
    if (file && name) {
      if (!isInTable) found.push([])
      found.at(-1)?.push([file, name])
    }
    isInTable = file !== undefined
  }
  return found
}

test('a bit rate passes at most 15 files, and the news of its change five', () => {
  assert.deepEqual(
    tables().map((rows) => rows.length),
    [15, 5]
  )
})

test('each file of the path has the function that the document names', () => {
  for (const [file, name] of tables().flat()) assert.match(textOf(file), new RegExp(`\\b${name}\\b`), file)
})

test('only the engine decides what a change of a channel is', () => {
  for (const file of ['engine/client/mirror.ts', 'engine/client/engine-client.ts', 'hub/channels/engine.ts'])
    assert.doesNotMatch(textOf(file), /JSON\.stringify|isDeepStrictEqual/, file)
})

test.run()
