import assert from 'node:assert/strict'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { systemFailure } from '../../../engine/process/system-failure.ts'
import { nextStep } from '../../../hub/messages/next-steps.ts'
import { reasonText } from '../../../hub/messages/reasons.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('system-failure')

const refusal = (syscall: string) =>
  Object.assign(new Error(`${syscall} EACCES: permission denied 0.0.0.0:554`), { code: 'EACCES', syscall, port: 554 })

test('the failure names the port that the engine may not open, and the next step names the ports that it may open', () => {
  for (const syscall of ['listen', 'bind']) {
    const { state, connState, reason } = systemFailure(refusal(syscall))
    assert.equal(connState, CONNECTION_STATE.creationFailed)
    assert.equal(reasonText('en', reason), 'the stream engine has no right to open port 554')
    assert.equal(nextStep('en', { state, connState, reason }), 'Choose a port from 1024 up.')
    assert.equal(nextStep('zh', { state, connState, reason }), '请选择 1024 或以上的端口。')
  }
})

test('a connection that the system forbids is another failure', () => {
  assert.match(systemFailure(refusal('connect')).reason, /^not-started /)
})

test.run()
