import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { REFUSAL } from '../../../contract/device/link.ts'
import { EVENTS } from '../../../contract/events.ts'
import { WARNING_WORDS } from '../../../contract/sentences.ts'
import { eventText } from '../../../hub/messages/events.ts'

const test = suite('events')

test('every event has a sentence in both languages, with its detail in it', () => {
  for (const event of EVENTS) {
    assert.match(eventText('en', event, 'Hall 1 storageFull'), /[A-Za-z]/)
    assert.match(eventText('zh', event, 'Hall 1 storageFull'), /[\u4e00-\u9fff]/, event)
    if (!['hub-stopped', 'low-memory'].includes(event)) assert.match(eventText('en', event, 'Hall 1 x'), /Hall 1/)
  }
})

test('warnings and refusals in a line are said in words', () => {
  for (const [name, [en, zh]] of Object.entries(WARNING_WORDS)) {
    assert.equal(eventText('en', 'warning-raised', `Hall 1 ${name}`), `Hall 1: ${en}`)
    assert.equal(eventText('zh', 'warning-raised', `Hall 1 ${name}`), `Hall 1：${zh}`)
  }
  assert.equal(
    eventText('en', 'device-refused', `Hall 1 192.0.2.1 ${REFUSAL.wrongCode}`),
    'Hall 1 192.0.2.1 refused: wrong invitation code'
  )
  assert.equal(eventText('en', 'device-refused', 'Hall'), 'Hall refused: ')
  assert.equal(eventText('en', 'firmware-failed', 'Hall 1 12'), 'Hall 1: firmware update failed: The device is offline')
})

test('an event that nobody knows is shown as it came', () => {
  assert.equal(eventText('en', 'toString', 'x'), 'toString x')
  assert.equal(eventText('zh', '/usr/update', ''), '/usr/update')
})

test.run()
