import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { STATUS } from '../../../contract/system.ts'
import { hubWarnings } from '../../../src/text/hub-warnings.ts'
import { areSaid } from '../../kit/both.ts'
import { shown } from './shown.ts'

const test = suite('warnings of the hub')

test('each bit that warns is said, and the others are not', () => {
  assert.deepEqual(hubWarnings(0), [])
  assert.deepEqual(hubWarnings(STATUS.updating | STATUS.newVersion), [])
  assert.deepEqual(hubWarnings(STATUS.srtFailed | STATUS.lowMemory | STATUS.updating), [
    'The SRT service failed to start.',
    'Memory is too low to work properly.'
  ])
  areSaid(shown(() => hubWarnings(STATUS.srtFailed | STATUS.lowMemory)))
})

test.run()
