import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ONLINE_FAULTS } from '../../../contract/online.ts'
import { onlineFaultLines } from '../../../hub/messages/online.ts'

const test = suite('messages of releases online')

test('every fault has a sentence of its own in both languages, without open places', () => {
  for (const language of ['en', 'zh'] as const) {
    const lines = ONLINE_FAULTS.map((fault) => onlineFaultLines(language, fault, { status: 404, error: 'ECONNRESET' }))
    assert.equal(new Set(lines.map(([problem]) => problem)).size, ONLINE_FAULTS.length)
    for (const line of lines.flat()) assert.match(line, /^[^{}]+$/)
  }
  assert.match(onlineFaultLines('en', 'http-status', { status: 404 })[0] ?? '', /404/)
  assert.match(onlineFaultLines('en', 'no-space')[0] ?? '', /50 MB/)
})

test.run()
