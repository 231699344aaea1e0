import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REFUSAL_STATE } from '../../../contract/device/link.ts'
import { LOG_EVENTS } from '../../../contract/events.ts'
import { WARNING_LABELS } from '../../../contract/text/sentences.ts'
import { eventText } from '../../../hub/messages/events.ts'

const test = suite('events')

/** Events of the hub as a whole. */
const WITHOUT_DETAIL = [
  'hub-stopped',
  'low-memory',
  'engine-away',
  'engine-back',
  'switch-over-failed',
  'storage-full',
  'storage-read-only',
  'storage-failed',
  'storage-recovered'
]

test('every event has a sentence in both languages that includes its detail', () => {
  for (const event of LOG_EVENTS) {
    assert.match(eventText('en', event, 'Hall 1 storageFull'), /[A-Za-z]/)
    assert.match(eventText('zh', event, 'Hall 1 storageFull'), /[\u4e00-\u9fff]/, event)
    if (!WITHOUT_DETAIL.includes(event)) assert.match(eventText('en', event, 'Hall 1 x'), /Hall 1/)
  }
})

test('warnings and refusals in an entry are translated', () => {
  for (const [name, [en, zh]] of Object.entries(WARNING_LABELS)) {
    assert.equal(eventText('en', 'warning-raised', `Hall 1 ${name}`), `Hall 1: ${en}`)
    assert.equal(eventText('zh', 'warning-raised', `Hall 1 ${name}`), `Hall 1：${zh}`)
  }
  assert.equal(
    eventText('en', 'device-refused', `Hall 1 192.0.2.1 ${REFUSAL_STATE.wrongCode}`),
    'Hall 1 192.0.2.1 refused: wrong invitation code'
  )
  assert.equal(eventText('en', 'device-refused', 'Hall'), 'Hall refused: ')
  assert.equal(eventText('en', 'firmware-failed', 'Hall 1 12'), 'Hall 1: firmware update failed: The device is offline')
})

test('an unknown event is shown with its name', () => {
  assert.equal(eventText('en', 'toString', 'x'), 'toString x')
  assert.equal(eventText('zh', '/usr/update', ''), '/usr/update')
})

test.run()
