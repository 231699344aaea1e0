import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { HARDWARE_UPDATE_FAULTS } from '../../../contract/hardware-update.ts'
import { INSTALLATION_STATE } from '../../../contract/installation-state.ts'
import { eventText } from '../../../hub/messages/events.ts'
import { hardwareComponentInfo, hardwareFailureText, hardwareStateInfo } from '../../../hub/messages/hardware-update.ts'

const test = suite('sentences for hardware updates')

const component = { id: 'capture-1', name: 'Capture card 1', version: '2.0.3' }

test('every state has a sentence, with the component that is being written', () => {
  const texts = (language: 'en' | 'zh', name?: string) =>
    Object.values(INSTALLATION_STATE)
      .toSorted((a, b) => a - b)
      .map((state) => hardwareStateInfo(language, { state, progress: 60, name }).text)
  assert.deepEqual(texts('en'), ['Failed', 'Idle', 'Preparing', 'Updating, 60 %', 'Done', 'Downloading, 60 %'])
  assert.equal(texts('en', 'Capture card 1')[3], 'Updating Capture card 1, 60 %')
  assert.equal(texts('zh', 'Capture card 1')[3], '正在更新 Capture card 1，60 %')
})

test('a component is up to date, has an offered version, is being written, or waits for a reboot', () => {
  const text = (fields: object, isWriting = false) =>
    hardwareComponentInfo('en', { ...component, ...fields }, isWriting).text
  assert.equal(text({}), 'Up to date')
  assert.equal(text({ offered: '2.0.3' }), 'Up to date')
  assert.equal(text({ offered: '2.1.0' }), 'Update available')
  assert.equal(text({ offered: '2.1.0' }, true), 'Updating')
  assert.equal(text({ 'needs-reboot': true }), 'Needs a reboot to take effect')
})

test('a failure has its cause and the words of the program, also in the log', () => {
  for (const fault of HARDWARE_UPDATE_FAULTS) {
    assert.match(hardwareFailureText('en', fault, 'block 7'), /^[A-Z][a-z ,]+: block 7$/)
    assert.match(hardwareFailureText('zh', fault, ''), /[\u4e00-\u9fff]$/)
  }
  assert.equal(
    eventText('en', 'hardware-failed', 'Capture card 1 2.0.3 → 2.1.0 timeout'),
    'Hardware update failed: Capture card 1 2.0.3 → 2.1.0 (The update program does not answer, or makes no progress)'
  )
  assert.equal(eventText('en', 'hardware-failed', 'x unknown'), 'Hardware update failed: x (unknown)')
})

test.run()
