import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_WARNING_BITS } from '../../../contract/device/status.ts'
import { deviceWarningLines } from '../../../hub/messages/device-warnings.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('device warnings')

test('each warning has a cause and a next step in both languages', () => {
  for (const bit of Object.values(DEVICE_WARNING_BITS))
    assertTranslated((language) => {
      const lines = deviceWarningLines(language, bit).split('\n')
      assert.equal(lines.length, 2)
      return lines
    })
})

test('several warnings are listed, and a step that they share is said once', () => {
  const { noSignal, usbFull, storageFull } = DEVICE_WARNING_BITS
  assert.equal(
    deviceWarningLines('en', noSignal | usbFull | storageFull),
    'No signal, USB drive full, Storage full.\nCheck the source and its cable. Delete recordings that are no longer needed.'
  )
  assert.equal(deviceWarningLines('zh', noSignal), '无信号。\n请检查信号源及其线缆。')
  assert.equal(deviceWarningLines('en', 0), '')
})

test.run()
