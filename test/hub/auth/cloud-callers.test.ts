import assert from 'node:assert/strict'
import { ALL_PERMISSIONS, GROUP_ADMIN } from '../../../contract/access/permissions.ts'
import type { Assertion } from '../../../contract/cloud/relay.ts'
import { ROLLOUT_APPROVAL_HOURS } from '../../../contract/cloud/rollout.ts'
import { CloudCallers } from '../../../hub/auth/cloud-callers.ts'
import { hashSecret } from '../../../web-server/credentials.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('callers from the cloud')

const NOW = 1_800_000_000_000
const OLD = 7200

/** Seconds since the hub counts the password as proved. */
function proofAge(assertion: Partial<Assertion>): number {
  const group = { id: 1, name: 'Admin', type: GROUP_ADMIN, permission: ALL_PERMISSIONS }
  const callers = new CloudCallers({ users: { group: () => group as never }, role: () => 'administer', now: () => NOW })
  const { secret } = callers.open({
    ...{ sn: 'HUB', challenge: 'x', id: 'x', method: 'POST', target: '/api/update/start', session: 'session' },
    ...{ user: { name: 'ada', organisation: 'headend', permission: ALL_PERMISSIONS, type: GROUP_ADMIN } },
    ...{ 'authenticated-s': OLD, address: '127.0.0.1' },
    ...assertion
  })
  const caller = callers.find(hashSecret(secret))
  return (NOW - (caller?.authenticatedAt ?? 0)) / 1000
}

test('the proof for a rollout counts for a day, and for the start of an update alone', () => {
  const day = ROLLOUT_APPROVAL_HOURS * 3600
  assert.equal(proofAge({}), OLD)
  assert.equal(proofAge({ 'approved-s': OLD }), 0)
  assert.equal(proofAge({ 'approved-s': day }), 0)
  assert.equal(proofAge({ 'approved-s': day + 1 }), OLD)
  for (const target of ['/api/update/revert', '/api/usr/add', '/api/update/start?x=1', '/socket'])
    assert.equal(proofAge({ 'approved-s': 1, target }), OLD, target)
  assert.equal(proofAge({ 'approved-s': 1, method: 'CONNECT' }), OLD)
})

test.run()
