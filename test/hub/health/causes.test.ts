import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CAUSES } from '../../../contract/health-causes.ts'
import type { Reason } from '../../../contract/stream/reason.ts'
import { causeOf } from '../../../hub/health/causes.ts'

const test = suite('causes of verdicts')

const nextStep = (reason: Reason) => {
  const cause = causeOf(reason)
  return cause && CAUSES[cause][1]
}

test('an output that does not take the audio of the source is to send AAC; another codec is to be changed', () => {
  assert.equal(nextStep('audio-unsupported MP2'), 'encode-audio')
  assert.equal(nextStep('codec-unsupported HEVC'), 'check-format')
})

test('an encoder that fails leads to the source, and one that waits for the processor to less load', () => {
  assert.equal(nextStep('encoder-failed'), 'check-format')
  assert.equal(nextStep('encoder-waits'), 'reduce-load')
})

test.run()
