import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { md5Of } from '../../../accounts/passwords.ts'
import { createOrganisation } from '../../../cloud/auth/first-users.ts'
import { GROUP_ADMIN, GROUP_USER } from '../../../contract/access/permissions.ts'
import { reauthenticate } from '../../../contract/access/session.ts'
import { addUser, deleteUsers, listUsers, moveUsers } from '../../../contract/access/user.ts'
import {
  cancelRollout,
  checkRollout,
  deleteRollout,
  listRolloutHubs,
  listRollouts,
  pauseRollout,
  queryRollout,
  resumeRollout,
  startRollout
} from '../../../contract/cloud/calls.ts'
import { ROLLOUT_APPROVAL_HOURS, ROLLOUTS_MAX } from '../../../contract/cloud/rollout.ts'
import {
  DEVICE_BUSY,
  NOT_EXIST,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SUCCESS,
  TOO_MANY,
  WRONG_STATE
} from '../../../contract/codes.ts'
import { REAUTHENTICATE_AFTER } from '../../../contract/limits.ts'
import { type CloudClient, startCloud } from '../../kit/cloud/cloud.ts'
import { withFolder } from '../../kit/cloud/registered-hub.ts'
import { newRollout, rolloutHubs, rolloutOf, withRolloutHubs } from '../../kit/cloud/rollout-fixture.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import { startUpgradingHubs, type UpgradingHub } from '../../kit/cloud/upgrading-hubs.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('control of updates of hubs')
const databases = bothDatabases(test)

/** Each hub has the new release, after one call to download and one to install. */
function assertUpdatedOnce(hubs: readonly UpgradingHub[]): void {
  assert.deepEqual(
    hubs.map(({ starts, version }) => `${starts} ${version}`),
    hubs.map(() => '2 2.0.0')
  )
}

function testControl(stores: Stores): void {
  stores.test('a paused rollout starts no hub, and a cancelled one ends when the started hubs have finished', () =>
    withRolloutHubs(
      stores,
      3,
      async (fixture) => {
        const { start, turns, rollout, admin, hubs, cloud } = fixture
        const id = await start({ growth: 1, 'pause-minutes': 0 })
        await turns(async () => (await rolloutHubs(fixture, id))[0]?.step === 'downloading', 'the first one downloads')
        assert.equal((await admin.send(pauseRollout, { id })).result, SUCCESS)
        assert.equal((await admin.send(pauseRollout, { id })).result, WRONG_STATE)
        assert.equal((await admin.send(deleteRollout, { id })).result, WRONG_STATE)
        for (const hub of hubs) hub.conduct.isSlow = false
        await turns(async () => (await rollout(id)).counts.done === 1, 'the first one is updated')
        await cloud.rollouts.run()
        assert.deepEqual([(await rollout(id)).state, hubs[1]?.starts], ['paused', 0])
        for (const hub of hubs) hub.conduct.isSlow = true
        assert.equal((await admin.send(resumeRollout, { id })).result, SUCCESS)
        await turns(async () => (await rolloutHubs(fixture, id))[1]?.step === 'downloading', 'the second one downloads')
        const second = await admin.send(startRollout, { sn: ['HUB-0002'], version: '2.0.0' })
        assert.equal(second.result, DEVICE_BUSY)
        assert.equal((await admin.send(cancelRollout, { id })).result, SUCCESS)
        for (const hub of hubs) hub.conduct.isSlow = false
        await turns(async () => (await rollout(id)).state === 'cancelled', 'it has ended')
        assert.deepEqual((await rollout(id)).counts, {
          ...{ waiting: 0, active: 0, done: 2, failed: 0, skipped: 0, cancelled: 1 }
        })
        assert.equal((await admin.send(cancelRollout, { id })).result, WRONG_STATE)
        assert.equal((await admin.send(deleteRollout, { id })).result, SUCCESS)
        assert.equal((await admin.send(listRollouts, {})).total, 0)
      },
      () => ({ isSlow: true })
    )
  )

  stores.test('an organisation has a limited number of rollouts that have not ended', () =>
    withRolloutHubs(stores, 1, async ({ admin, cloud }) => {
      await cloud.store.within('headend', async (scope) => {
        for (let id = 1; id <= ROLLOUTS_MAX; id++) await scope.insert('rollouts', newRollout(id)).execute()
      })
      assert.equal((await admin.send(startRollout, { sn: ['HUB-0000'], version: '2.0.0' })).result, TOO_MANY)
    })
  )
}

function testRights(stores: Stores): void {
  stores.test('the calls carry the user who has started it, and the proof of the password for a day', () =>
    withRolloutHubs(stores, 2, async (fixture) => {
      const { start, turns, rollout, pass, hubs, cloud } = fixture
      const id = await start({ 'pause-minutes': 60 })
      await turns(async () => (await rollout(id)).counts.done === 1, 'the first is updated')
      const call = hubs[0]?.calls.find(({ path }) => path === '/api/update/start')
      assert.deepEqual(
        [call?.assertion.user.name, call?.assertion.user.type, call?.assertion.sn, call?.assertion['approved-s']],
        ['Admin', GROUP_ADMIN, 'HUB-0000', 0]
      )
      pass(ROLLOUT_APPROVAL_HOURS * 60)
      // The session has ended meanwhile.
      const again = await cloud.signIn()
      await turns(async () => (await rolloutOf(again, id)).state === 'stopped', 'it is stopped')
      assert.equal((await rolloutOf(again, id)).cause, 'approval')
      assert.equal(hubs[1]?.starts, 0)
      pass(REAUTHENTICATE_AFTER + 1)
      assert.equal((await again.send(resumeRollout, { id })).result, REAUTHENTICATION_REQUIRED)
      await again.send(reauthenticate, { pass: md5Of('Admin') })
      assert.equal((await again.send(resumeRollout, { id })).result, SUCCESS)
      await turns(async () => (await rolloutOf(again, id)).state === 'done', 'it is done')
    })
  )

  const LOSSES: readonly [string, (admin: CloudClient, user: { id: number; name: string }) => Promise<unknown>][] = [
    ['was deleted', (admin, { id, name }) => admin.send(deleteUsers, { id: [id], names: [name] })],
    ['is no administrator any more', (admin, { id }) => admin.send(moveUsers, { id: [id], 'group-id': GROUP_USER })]
  ]
  for (const [title, loseRights] of LOSSES)
    stores.test(`a rollout whose user ${title} is stopped, and goes on with the user who resumes it`, () =>
      withRolloutHubs(stores, 3, async (fixture) => {
        const { cloud, admin, sn, turns, rollout, hubs } = fixture
        const user = { name: 'operator', passwd: md5Of('Secret-1'), 'group-id': GROUP_ADMIN }
        await admin.send(addUser, user)
        const operator = await cloud.signIn(user.name, 'Secret-1')
        const { id } = await operator.send(startRollout, { sn, version: '2.0.0' })
        await turns(async () => (await rollout(id)).counts.done === 1, 'the first is updated')
        const { users = [] } = await admin.send(listUsers, {})
        await loseRights(admin, users.find(({ name }) => name === user.name) ?? { id: 0, name: '' })
        await turns(async () => (await rollout(id)).state === 'stopped', 'it is stopped')
        assert.equal((await rollout(id)).cause, 'user')
        assert.equal(hubs[1]?.starts, 0)
        await admin.send(resumeRollout, { id })
        fixture.pass(10)
        await turns(async () => (await rollout(id)).state === 'done', 'it is done')
        assert.equal(hubs[1]?.calls.at(-1)?.assertion.user.name, 'Admin')
      })
    )

  stores.test('a user without the right, and one of another organisation, neither start, see nor change it', () =>
    withRolloutHubs(stores, 1, async ({ cloud, start, sn }) => {
      await createOrganisation(cloud.store, 'evil')
      const id = await start()
      const evil = await cloud.signIn('Admin', 'Admin', 'evil')
      const viewer = await cloud.signInAs('Viewer')
      for (const [client, code] of [
        [evil, NOT_EXIST],
        [viewer, NOT_PERMITTED]
      ] as const) {
        assert.equal((await client.send(startRollout, { sn, version: '2.0.0' })).result, code)
        for (const call of [queryRollout, listRolloutHubs, pauseRollout, cancelRollout, deleteRollout])
          assert.equal((await client.send(call as typeof pauseRollout, { id })).result, code)
      }
      assert.equal((await evil.send(checkRollout, { sn })).hubs[0]?.cause, 'unknown')
      assert.equal((await evil.send(listRollouts, {})).total, 0)
    })
  )
}

test('a cloud that is started again goes on where it was, and starts no hub twice', () =>
  withFolder(async (data) => {
    let cloud = await startCloud({ data })
    const { linkPort } = await cloud.listen(0, 0)
    const hubs = await startUpgradingHubs(cloud, linkPort, 5, () => ({ isSlow: true }))
    try {
      const admin = await cloud.signIn()
      const sn = hubs.map((hub) => hub.sn)
      const { id } = await admin.send(startRollout, { sn, version: '2.0.0', first: 3, 'pause-minutes': 0 })
      await until(async () => {
        await cloud.rollouts.run()
        return (await rolloutHubs({ admin }, id)).filter(({ step }) => step === 'downloading').length === 3
      }, 'three hubs download')
      await cloud.close()
      cloud = await startCloud({ data })
      await cloud.listen(0, linkPort)
      for (const hub of hubs) hub.conduct.isSlow = false
      // Until the old node counts as gone.
      const next = await cloud.signIn()
      await until(async () => {
        await cloud.rollouts.run()
        return (await rolloutOf(next, id)).state === 'done'
      }, 'all are updated')
      assertUpdatedOnce(hubs)
    } finally {
      for (const hub of hubs) hub.stop()
      await cloud.close()
    }
  }))

test('when its node has ended, another node goes on with it', async () => {
  const databaseUrl = await databases[1]?.databaseUrl()
  const folder = mkdtempSync(join(tmpdir(), 'headend-cloud-key-'))
  const keyFile = join(folder, 'cloud.key')
  const [first, second] = [await startCloud({ databaseUrl, keyFile }), await startCloud({ databaseUrl, keyFile })]
  const { linkPort } = await first.listen(0, 0)
  const { linkPort: secondPort } = await second.listen(0, 0)
  const hubs = await startUpgradingHubs(first, linkPort, 3, () => ({ isSlow: true }))
  try {
    const admin = await first.clientAs()
    const sn = hubs.map((hub) => hub.sn)
    const { id } = await admin.send(startRollout, { sn, version: '2.0.0', 'pause-minutes': 0 })
    const other = await second.clientAs()
    await until(async () => {
      await Promise.all([first.rollouts.run(), second.rollouts.run()])
      return (await rolloutHubs({ admin: other }, id))[0]?.step === 'downloading'
    }, 'the first hub downloads')
    for (const hub of hubs) {
      hub.conduct.isSlow = false
      hub.connectTo(secondPort)
    }
    await first.close()
    await until(async () => {
      await second.rollouts.run()
      return (await rolloutOf(other, id)).state === 'done'
    }, 'all are updated')
    assertUpdatedOnce(hubs)
  } finally {
    for (const hub of hubs) hub.stop()
    await second.close()
    rmSync(folder, { recursive: true })
  }
})

for (const stores of databases) {
  testControl(stores)
  testRights(stores)
}

test.run()
