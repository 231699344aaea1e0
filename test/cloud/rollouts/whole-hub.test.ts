// A rollout with a whole hub: it downloads a release, verifies it, lets its update service install it, and ends its
// process for the trial (`test/soak/upgrade.test.ts`).
import assert from 'node:assert/strict'
import { acceptHubs, getInvitation, listHubs, startRollout } from '../../../contract/cloud/calls.ts'
import { REAUTHENTICATE_AFTER } from '../../../contract/limits.ts'
import { listLog } from '../../../contract/log.ts'
import { setUpdate, startUpdate } from '../../../contract/update.ts'
import { startCloud } from '../../kit/cloud/cloud.ts'
import { set, untilListedOnline, untilOnline, untilState } from '../../kit/cloud/registered-hub.ts'
import { rolloutHubs, rolloutOf } from '../../kit/cloud/rollout-fixture.ts'
import { admin, hubForEach } from '../../kit/hub/hub-for-each.ts'
import {
  installation,
  publishRelease,
  RELEASE_UPDATE,
  releaseServerForEach,
  server
} from '../../kit/hub/release-server.ts'
import { entityTag } from '../../kit/net/static-server.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('update of a whole hub in a rollout')
hubForEach(test)
releaseServerForEach(test)

test('a hub downloads and installs a release, also when the password was proved long before', async () => {
  let time = Date.now()
  const cloud = await startCloud({ now: () => time })
  try {
    const { linkPort: port } = await cloud.listen(0, 0)
    const user = await cloud.clientAs('Admin')
    const { invitation } = await user.send(getInvitation, {})
    await set(admin, { port, invitation, role: 'view' })
    await untilState(admin, 103)
    await untilListedOnline(user)
    const sn = (await user.send(listHubs, {})).list.map((hub) => hub.sn)
    await user.send(acceptHubs, { sn })
    await untilOnline(admin)
    publishRelease()
    await admin.send(setUpdate, { address: server.address })
    const start = async () => (await user.send(startRollout, { sn, version: '9.0.0' })).id
    const turnsUntil = (isMet: () => Promise<boolean>, what: string) =>
      until(async () => {
        await cloud.rollouts.run()
        return isMet()
      }, what)

    const refused = await start()
    await turnsUntil(async () => (await rolloutOf(user, refused)).state === 'done', 'it is done')
    assert.equal((await rolloutHubs({ admin: user }, refused))[0]?.cause, 'role')

    await set(admin, { port, role: 'administer' })
    await untilOnline(admin)
    await untilListedOnline(user)
    // The download waits until the proof of the password is old.
    let held: (() => void) | undefined
    server.answer = (request, response) => {
      if (request.url !== '/9.0.0.update' || held) return false
      const headers = { etag: entityTag(RELEASE_UPDATE), 'content-length': RELEASE_UPDATE.length }
      held = () => response.writeHead(200, headers).end(RELEASE_UPDATE)
      return true
    }
    const id = await start()
    await turnsUntil(async () => held !== undefined, 'the hub downloads')
    time += (REAUTHENTICATE_AFTER + 5) * 60_000
    held?.()
    await turnsUntil(
      async () => (await rolloutHubs({ admin: user }, id))[0]?.step === 'installing' && installation.endings() === 1,
      'the hub has ended its process for the trial'
    )
    assert.equal(installation.files.read('trial')?.version, '9.0.0')
    const { list } = await admin.send(listLog, { type: 'operation' })
    const starts = list.filter(({ event }) => event === startUpdate.path)
    assert.deepEqual(
      starts.map(({ user: name, code }) => `${name} ${code}`),
      ['Admin@headend 0', 'Admin@headend 0']
    )
  } finally {
    await cloud.close()
  }
})

test.run()
