import assert from 'node:assert/strict'
import { checkRollout, resumeRollout } from '../../../contract/cloud/calls.ts'
import { ROLLOUT_DEFAULTS, waveSize } from '../../../contract/cloud/rollout.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import { rolloutHubs, withRolloutHubs } from '../../kit/cloud/rollout-fixture.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import type { HubConduct } from '../../kit/cloud/upgrading-hubs.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('updates of hubs in waves')

function testWaves(stores: Stores): void {
  stores.test('hubs are updated in growing waves, each after the ones before have worked for the pause', () =>
    withRolloutHubs(stores, 12, async (fixture) => {
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
      const list = await rolloutHubs(fixture, id)
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
      return withRolloutHubs(
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
            (await rolloutHubs(fixture, id)).map(({ state, cause, wave }) => `${state} ${cause} ${wave}`),
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
      withRolloutHubs(
        stores,
        3,
        async (fixture) => {
          const { hubs, start, turns, rollout, admin } = fixture
          const id = await start({ 'pause-minutes': 0 })
          await turns(async () => (await rollout(id)).state === 'stopped', 'it is stopped')
          assert.equal((await rollout(id)).cause, 'failures')
          const [first] = await rolloutHubs(fixture, id)
          assert.deepEqual([first?.state, first?.cause, first?.detail], ['failed', cause, detail])
          assert.equal(hubs[1]?.starts, 0)
          assert.equal((await admin.send(resumeRollout, { id })).result, SUCCESS)
          await turns(async () => (await rollout(id)).state === 'done', 'the others are updated')
          assert.deepEqual(
            (await rolloutHubs(fixture, id)).map(({ state }) => state),
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
    withRolloutHubs(
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
    withRolloutHubs(
      stores,
      2,
      async (fixture) => {
        const { start, turns, rollout, pass, cloud } = fixture
        const id = await start()
        await turns(async () => (await rolloutHubs(fixture, id))[0]?.step === 'installing', 'it installs')
        await until(() => !cloud.links.isOnline('headend', 'HUB-0000'), 'it is away')
        pass(15)
        await cloud.rollouts.run()
        assert.equal((await rollout(id)).state, 'running')
        pass(1)
        await turns(async () => (await rollout(id)).state === 'stopped', 'it is stopped')
        assert.equal((await rolloutHubs(fixture, id))[0]?.cause, 'lost')
      },
      () => ({ staysAway: true })
    )
  )

  stores.test('an updated hub that is offline during the pause fails the wave', () =>
    withRolloutHubs(stores, 2, async (fixture) => {
      const { start, turns, rollout, pass, cloud, hubs } = fixture
      const id = await start()
      await turns(async () => (await rollout(id))['next-wave-s'] !== undefined, 'the first is updated')
      hubs[0]?.stop()
      await until(() => !cloud.links.isOnline('headend', 'HUB-0000'), 'it is away')
      await cloud.rollouts.run()
      pass(3)
      await turns(async () => (await rollout(id)).state === 'stopped', 'it is stopped')
      assert.equal((await rolloutHubs(fixture, id))[0]?.cause, 'unhealthy')
      assert.equal(hubs[1]?.starts, 0)
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

const databases = bothDatabases(test)

test('200 hubs are updated by default in waves of 1, 5, 25 and 50, and a failure in the fifth one stops the rest', () =>
  withRolloutHubs(
    databases[0] as Stores,
    200,
    async ({ hubs, start, turns, rollout, pass }) => {
      const id = await start()
      let wave = 0
      await turns(async () => {
        const { state, counts, 'next-wave-s': seconds, 'current-wave': current } = await rollout(id)
        assert.ok(counts.active <= ROLLOUT_DEFAULTS.wave)
        if (seconds !== undefined && current > wave) {
          wave = current
          pass(ROLLOUT_DEFAULTS['pause-minutes'])
        }
        return state === 'stopped'
      }, 'it is stopped')
      await turns(async () => (await rollout(id)).counts.active === 0, 'the started hubs have finished')
      const { counts, 'current-wave': last } = await rollout(id)
      assert.deepEqual([last, counts.done, counts.failed, counts.waiting], [5, 130, 1, 69])
      assert.equal(hubs.filter(({ starts }) => starts > 0).length, 131)
    },
    (index) => (index === 90 ? { rollsBack: true } : {})
  ))

for (const stores of databases) {
  testWaves(stores)
  testFailures(stores)
}

test.run()
