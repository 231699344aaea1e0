import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { REASON_CODES } from '../../../contract/stream/reason.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { assertTranslated } from '../../kit/both-languages.ts'

const test = suite('next steps')

const leg = { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.failed, kbps: 0, livingTimeS: 0 }

test('every failure has a next step in both languages', () => {
  for (const connState of Object.values(CONNECTION_STATE).filter((state) => state > CONNECTION_STATE.connected))
    assertTranslated((language) => [nextStep(language, { ...leg, connState }) ?? ''])
  for (const reason of REASON_CODES) assertTranslated((language) => [nextStep(language, { ...leg, reason }) ?? ''])
})

test('the next step for a reason takes precedence over that for a state', () => {
  const stepFor = (more: object) => nextStep('en', { ...leg, ...more })
  assert.equal(
    stepFor({ connState: CONNECTION_STATE.creationFailed, reason: 'port-taken 9000' }),
    'Choose another port, or stop the program that uses it.'
  )
  assert.equal(stepFor({ reason: 'not-installed ffmpeg' }), 'Install it on the hub: apt-get install -y ffmpeg')
  assert.equal(stepFor({ reason: 'device-offline', state: SOURCE_STATE.offline }), 'Check its power and network.')
  assert.match(
    stepFor({ state: SOURCE_STATE.unsupported, connState: CONNECTION_STATE.streamFailed }) ?? '',
    /other codecs/
  )
})

test('there is no next step without a failure', () => {
  for (const connState of [
    CONNECTION_STATE.waiting,
    CONNECTION_STATE.connecting,
    CONNECTION_STATE.waitingForData,
    CONNECTION_STATE.connected
  ])
    assert.equal(nextStep('en', { ...leg, state: SOURCE_STATE.running, connState }), undefined)
})

test('an output whose audio is refused is to send AAC', () => {
  const refused = { state: SOURCE_STATE.unsupported, connState: CONNECTION_STATE.streamFailed }
  assert.equal(nextStep('en', { ...refused, reason: 'audio-unsupported MP2' }), 'Set the audio of the output to AAC.')
  assert.match(nextStep('en', { ...refused, reason: 'codec-unsupported HEVC' }) ?? '', /^Choose another protocol/)
})

test.run()
