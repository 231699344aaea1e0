import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { compareWithPlain } from './reference.ts'

const test = suite('preview reference')

test('on both paths the parser finds what a plain one finds in the whole stream, whatever it is and however it comes', async () => {
  assert.ok((await compareWithPlain(4000, 6)) > 8000)
})

test.run()
