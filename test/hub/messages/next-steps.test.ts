import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, SOURCE } from '../../../contract/stream/protocols.ts'
import { REASON_CODES } from '../../../contract/stream/reason.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { areSaid } from '../../kit/both.ts'

const test = suite('next steps')

const leg = { state: SOURCE.failed, connState: CONNECTION.failed, kbps: 0, livingTimeS: 0 }

test('every failure comes with what to do about it, in both languages', () => {
  for (const connState of Object.values(CONNECTION).filter((state) => state > CONNECTION.connected))
    areSaid((language) => [nextStep(language, { ...leg, connState }) ?? ''])
  for (const reason of REASON_CODES) areSaid((language) => [nextStep(language, { ...leg, reason }) ?? ''])
})

test('a reason that says more than the state is advised on first', () => {
  const said = (more: object) => nextStep('en', { ...leg, ...more })
  assert.equal(
    said({ connState: CONNECTION.creationFailed, reason: 'port-taken 9000' }),
    'Choose another port, or end what uses it.'
  )
  assert.equal(said({ reason: 'not-installed ffmpeg' }), 'Install it on the hub: apt-get install -y ffmpeg')
  assert.equal(said({ reason: 'device-offline', state: SOURCE.offline }), 'Check its power and its network.')
  assert.match(said({ state: SOURCE.unsupported, connState: CONNECTION.streamFailed }) ?? '', /other codecs/)
})

test('where nothing is wrong there is nothing to do', () => {
  for (const connState of [CONNECTION.waiting, CONNECTION.connecting, CONNECTION.waitingForData, CONNECTION.connected])
    assert.equal(nextStep('en', { ...leg, state: SOURCE.running, connState }), undefined)
})

test.run()
