import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { compareWithReference } from '../../kit/preview/reference.ts'

const test = suite('preview reference')

test('with both kinds of reader the parser finds the same parts as a simple parser of the whole stream, for any stream and any chunks', async () => {
  assert.ok((await compareWithReference(4000, 6)) > 8000)
})

test.run()
