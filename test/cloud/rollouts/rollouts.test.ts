import assert from 'node:assert/strict'
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
import { ROLLOUT_APPROVAL_HOURS, ROLLOUTS_MAX, waveSize } from '../../../contract/cloud/rollout.ts'
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
import { listLog } from '../../../contract/log.ts'
import { type CloudClient, startCloud, type TestCloud } from '../../kit/cloud/cloud.ts'
import { withFolder } from '../../kit/cloud/registered-hub.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import { type HubConduct, startUpgradingHubs, type UpgradingHub } from '../../kit/cloud/upgrading-hubs.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('updates of hubs in waves')

interface Fixture {
  cloud: TestCloud
  admin: CloudClient
  hubs: UpgradingHub[]
  sn: string[]
  /** Moves the clock of the cloud. */
  pass(minutes: number): void
  /** Gives the rollouts turns until a condition is met. */
  turns(isMet: () => boolean | Promise<boolean>, what: string): Promise<void>
  /** Starts a rollout to version 2.0.0. @returns its id */
  start(plan?: object, sn?: string[]): Promise<number>
  rollout(id: number): Promise<Awaited<ReturnType<typeof rolloutOf>>>
}

const rolloutOf = async (admin: CloudClient, id: number) => (await admin.send(queryRollout, { id })).rollout

async function withHubs(
  stores: Stores,
  count: number,
  run: (fixture: Fixture) => Promise<void>,
  conductOf?: (index: number) => HubConduct
): Promise<void> {
  let time = Date.now()
  const cloud = await startCloud({ databaseUrl: await stores.databaseUrl(), now: () => time })
  let hubs: UpgradingHub[] = []
  try {
    const { linkPort } = await cloud.listen(0, 0)
    hubs = await startUpgradingHubs(cloud, linkPort, count, conductOf)
    const admin = await cloud.signIn()
    const sn = hubs.map((hub) => hub.sn)
    await run({
      ...{ cloud, admin, hubs, sn },
      pass: (minutes) => {
        time += minutes * 60_000
      },
      turns: (isMet, what) =>
        until(async () => {
          await cloud.rollouts.run()
          return isMet()
        }, what),
      async start(plan = {}, serials = sn) {
        const { id, result } = await admin.send(startRollout, { sn: serials, version: '2.0.0', ...plan })
        assert.equal(result, SUCCESS)
        return id
      },
      rollout: (id) => rolloutOf(admin, id)
    })
  } finally {
    for (const hub of hubs) hub.stop()
    await cloud.close()
  }
}

const hubsOf = async ({ admin }: Pick<Fixture, 'admin'>, id: number) => (await admin.send(listRolloutHubs, { id })).list

function testWaves(stores: Stores): void {
  stores.test('hubs are updated in growing waves, each after the ones before have worked for the pause', () =>
    withHubs(stores, 12, async (fixture) => {
      const { hubs, start, turns, rollout, pass } = fixture
      const id = await start({ first: 1, growth: 3, wave: 5, 'pause-minutes': 10 })
      for (const [wave, total] of [
        [1, 1],
        [2, 4],
        [3, 9]
      ] as const) {
        await turns(async () => (await rollout(id))['next-wave-s'] !== undefined, `wave ${wave} is updated`)
        const { 'current-wave': current, counts, state } = await rollout(id)
        assert.deepEqual([current, counts.done, counts.active, state], [wave, total, 0, 'running'])
        assert.equal(hubs.filter(({ starts }) => starts > 0).length, total)
        pass(9)
        await fixture.cloud.rollouts.run()
        assert.equal((await rollout(id))['current-wave'], wave)
        pass(1)
      }
      await turns(async () => (await rollout(id)).state === 'done', 'all are updated')
      const list = await hubsOf(fixture, id)
      assert.deepEqual(
        list.map(({ state, from, version, wave }) => `${state} ${from} ${version} ${wave}`),
        [1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4].map((wave) => `done 1.0.0 2.0.0 ${wave}`)
      )
      // Each hub was asked once to download, and once to install.
      for (const { starts } of hubs) assert.equal(starts, 2)
    })
  )

  stores.test(
    'hubs that cannot be updated are skipped with the reason, and others take their place in the wave',
    () => {
      const conducts: HubConduct[] = [
        { version: '2.0.0' },
        { version: '3.0.0' },
        { role: 'view' },
        { hasNoServer: true }
      ]
      return withHubs(
        stores,
        6,
        async (fixture) => {
          const { hubs, start, turns, rollout, admin, sn, cloud } = fixture
          hubs[4]?.stop()
          await until(() => !cloud.links.isOnline('headend', sn[4] ?? ''), 'the hub is offline')
          const { hubs: checked, releases } = await admin.send(checkRollout, { sn: [...sn, 'NONE'] })
          assert.deepEqual(
            checked.map((hub) => `${hub.version} ${hub.cause} ${hub.offers}`),
            [
              ...['2.0.0 undefined ', '3.0.0 undefined ', '1.0.0 role 2.0.0', '1.0.0 undefined '],
              ...['undefined offline ', '1.0.0 undefined 2.0.0', 'undefined unknown ']
            ]
          )
          assert.deepEqual(
            releases.map(({ version, notes }) => `${version} ${notes}`),
            ['2.0.0 New']
          )
          const id = await start({ first: 1 })
          await turns(async () => (await rollout(id)).state === 'done', 'it is done')
          assert.deepEqual(
            (await hubsOf(fixture, id)).map(({ state, cause, wave }) => `${state} ${cause} ${wave}`),
            [
              ...['skipped up-to-date 0', 'skipped newer 0', 'skipped role 0', 'skipped no-server 0'],
              ...['skipped offline 0', 'done undefined 1']
            ]
          )
        },
        (index) => conducts[index] ?? {}
      )
    }
  )
}

function testFailures(stores: Stores): void {
  const FAILING: readonly [HubConduct, string, string][] = [
    [{ rollsBack: true }, 'rollback', 'No stream\nNews'],
    [{ failsDownload: true }, 'download', 'The server cannot be reached'],
    [{ interrupts: ['News', 'Sport'] }, 'interrupts', 'News, Sport']
  ]
  for (const [conduct, cause, detail] of FAILING)
    stores.test(`a hub that fails (${cause}) stops the rollout with what the hub says, until it is resumed`, () =>
      withHubs(
        stores,
        3,
        async (fixture) => {
          const { hubs, start, turns, rollout, admin } = fixture
          const id = await start({ 'pause-minutes': 0 })
          await turns(async () => (await rollout(id)).state === 'stopped', 'it is stopped')
          assert.equal((await rollout(id)).cause, 'failures')
          const [first] = await hubsOf(fixture, id)
          assert.deepEqual([first?.state, first?.cause, first?.detail], ['failed', cause, detail])
          assert.equal(hubs[1]?.starts, 0)
          assert.equal((await admin.send(resumeRollout, { id })).result, SUCCESS)
          await turns(async () => (await rollout(id)).state === 'done', 'the others are updated')
          assert.deepEqual(
            (await hubsOf(fixture, id)).map(({ state }) => state),
            ['failed', 'done', 'done']
          )
          const log = await admin.send(listLog, { type: 'device' })
          assert.equal(log.list.filter(({ event }) => event === `hub-update-${cause}`).length, 1)
          assert.equal(log.list.filter(({ event }) => event === 'hub-updated').length, 2)
        },
        (index) => (index === 0 ? conduct : {})
      )
    )

  stores.test('streams are interrupted only if that was allowed', () =>
    withHubs(
      stores,
      1,
      async ({ start, turns, rollout, hubs }) => {
        const id = await start({ interrupt: true })
        await turns(async () => (await rollout(id)).state === 'done', 'it is done')
        assert.deepEqual(hubs[0]?.version, '2.0.0')
      },
      () => ({ interrupts: ['News'] })
    )
  )

  stores.test('a hub that does not come back has failed after 15 minutes', () =>
    withHubs(
      stores,
      2,
      async (fixture) => {
        const { start, turns, rollout, pass, cloud } = fixture
        const id = await start()
        await turns(async () => (await hubsOf(fixture, id))[0]?.step === 'installing', 'it installs')
        await until(() => !cloud.links.isOnline('headend', 'HUB-0000'), 'it is away')
        pass(15)
        await cloud.rollouts.run()
        assert.equal((await rollout(id)).state, 'running')
        pass(1)
        await turns(async () => (await rollout(id)).state === 'stopped', 'it is stopped')
        assert.equal((await hubsOf(fixture, id))[0]?.cause, 'lost')
      },
      () => ({ staysAway: true })
    )
  )

  stores.test('an updated hub that is offline during the pause fails the wave', () =>
    withHubs(stores, 2, async (fixture) => {
      const { start, turns, rollout, pass, cloud, hubs } = fixture
      const id = await start()
      await turns(async () => (await rollout(id))['next-wave-s'] !== undefined, 'the first is updated')
      hubs[0]?.stop()
      await until(() => !cloud.links.isOnline('headend', 'HUB-0000'), 'it is away')
      await cloud.rollouts.run()
      pass(3)
      await turns(async () => (await rollout(id)).state === 'stopped', 'it is stopped')
      assert.equal((await hubsOf(fixture, id))[0]?.cause, 'unhealthy')
      assert.equal(hubs[1]?.starts, 0)
    })
  )
}

function testControl(stores: Stores): void {
  stores.test('a paused rollout starts no hub, and a cancelled one ends when the started hubs have finished', () =>
    withHubs(
      stores,
      3,
      async (fixture) => {
        const { start, turns, rollout, admin, hubs, cloud } = fixture
        const id = await start({ growth: 1, 'pause-minutes': 0 })
        await turns(async () => (await hubsOf(fixture, id))[0]?.step === 'downloading', 'the first one downloads')
        assert.equal((await admin.send(pauseRollout, { id })).result, SUCCESS)
        assert.equal((await admin.send(pauseRollout, { id })).result, WRONG_STATE)
        assert.equal((await admin.send(deleteRollout, { id })).result, WRONG_STATE)
        for (const hub of hubs) hub.conduct.isSlow = false
        await turns(async () => (await rollout(id)).counts.done === 1, 'the first one is updated')
        await cloud.rollouts.run()
        assert.deepEqual([(await rollout(id)).state, hubs[1]?.starts], ['paused', 0])
        for (const hub of hubs) hub.conduct.isSlow = true
        assert.equal((await admin.send(resumeRollout, { id })).result, SUCCESS)
        await turns(async () => (await hubsOf(fixture, id))[1]?.step === 'downloading', 'the second one downloads')
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
    withHubs(stores, 1, async ({ admin, cloud }) => {
      await cloud.store.within('headend', async (scope) => {
        const counts = {
          user_id: 1,
          created: 1,
          approved: 1,
          ended: 0,
          first: 1,
          growth: 1,
          wave_max: 1,
          stop_after: 1
        }
        const more = { pause_minutes: 0, interrupt: 0, wave: 1, wave_ended: 0, forgiven: 0, epoch: 0 }
        const texts = { version: '2.0.0', user_name: '', address: '', state: 'paused', cause: '', node: '' }
        for (let id = 1; id <= ROLLOUTS_MAX; id++)
          await scope.insert('rollouts', { ...counts, ...more, ...texts, id }).execute()
      })
      assert.equal((await admin.send(startRollout, { sn: ['HUB-0000'], version: '2.0.0' })).result, TOO_MANY)
    })
  )
}

function testRights(stores: Stores): void {
  stores.test('the calls carry the user who has started it, and the proof of the password for a day', () =>
    withHubs(stores, 2, async (fixture) => {
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
      withHubs(stores, 3, async (fixture) => {
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
    withHubs(stores, 1, async ({ cloud, start, sn }) => {
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

test('a wave is as large as the plan says', () => {
  const plan = { first: 1, growth: 5, wave: 50 }
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((number) => waveSize(plan, number)),
    [1, 5, 25, 50, 50]
  )
})

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
        return (await hubsOf({ admin }, id)).filter(({ step }) => step === 'downloading').length === 3
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
      assert.deepEqual(
        hubs.map(({ starts, version }) => `${starts} ${version}`),
        hubs.map(() => '2 2.0.0')
      )
    } finally {
      for (const hub of hubs) hub.stop()
      await cloud.close()
    }
  }))

for (const stores of bothDatabases(test)) {
  testWaves(stores)
  testFailures(stores)
  testControl(stores)
  testRights(stores)
}

test.run()
