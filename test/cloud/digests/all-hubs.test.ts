// Digests of hubs, as the calls of the cloud answer them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { md5Of } from '../../../accounts/passwords.ts'
import { createOrganisation } from '../../../cloud/auth/first-users.ts'
import { CHANNEL_VIEW, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { addGroup, addUser } from '../../../contract/access/user.ts'
import { addCatalog, setCatalog } from '../../../contract/catalog.ts'
import { getRevisions } from '../../../contract/change-feed.ts'
import { deleteHubs, listCloudChannels, listCloudProblems, listHubs } from '../../../contract/cloud/calls.ts'
import { DIGEST_LINE_MAX, type DigestLine } from '../../../contract/cloud/digest.ts'
import { NOT_PERMITTED, SUCCESS } from '../../../contract/codes.ts'
import { setDeviceSecurity } from '../../../contract/device/device.ts'
import { listLog } from '../../../contract/log.ts'
import { type CloudClient, startCloud, type TestCloud } from '../../kit/cloud/cloud.ts'
import { channelOf, type DigestHub, problemOf, startDigestHub, wholeDigest } from '../../kit/cloud/digest-hub.ts'
import { startPostgres } from '../../kit/cloud/postgres.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import { suite } from '../../kit/runner/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('digests of hubs in the cloud')

interface Fixture {
  cloud: TestCloud
  admin: CloudClient
  linkPort: number
  start(sn: string): Promise<DigestHub>
}

async function withHubs(stores: Stores, run: (fixture: Fixture) => Promise<void>, now?: () => number): Promise<void> {
  const cloud = await startCloud({ databaseUrl: await stores.databaseUrl(), ...(now && { now }) })
  const started: DigestHub[] = []
  try {
    const { linkPort } = await cloud.listen(0, 0)
    const admin = await cloud.signIn()
    await run({
      ...{ cloud, admin, linkPort },
      async start(sn) {
        const hub = await startDigestHub(admin, linkPort, sn)
        started.push(hub)
        return hub
      }
    })
  } finally {
    for (const hub of started) hub.stop()
    await cloud.close()
  }
}

const channelNames = async (client: CloudClient, request = {}) =>
  (await client.send(listCloudChannels, request)).list.map(({ name }) => name)

const problemNames = async (client: CloudClient, request = {}) =>
  (await client.send(listCloudProblems, request)).list.map(({ name }) => name)

const hubOf = async (client: CloudClient, serial: string) =>
  (await client.send(listHubs, {})).list.find(({ sn }) => sn === serial)

const untilChannels = (client: CloudClient, count: number) =>
  until(async () => (await channelNames(client)).length === count, `${count} channels`)

function testLists(stores: Stores): void {
  stores.test('channels and problems of all hubs are listed, worst first, and found by hub, group and text', () =>
    withHubs(stores, async ({ admin, start }) => {
      const [north, south] = [await start('HUB1'), await start('HUB2')]
      north.send(wholeDigest([channelOf(1, 'Main'), channelOf(2, 'Backup', 'down')], [problemOf(2, 'Backup')]))
      south.send(wholeDigest([channelOf(1, 'Foyer', 'degraded')]))
      await untilChannels(admin, 3)
      assert.deepEqual(await channelNames(admin), ['Backup', 'Foyer', 'Main'])
      assert.deepEqual(await channelNames(admin, { verdict: 'degraded' }), ['Foyer'])
      assert.deepEqual(await channelNames(admin, { sn: 'HUB1' }), ['Backup', 'Main'])
      assert.deepEqual(await channelNames(admin, { key: 'foy' }), ['Foyer'])
      assert.deepEqual(await channelNames(admin, { start: 1, count: 1 }), ['Foyer'])
      const { id } = await admin.send(addCatalog, { id: 0, name: 'South' })
      await admin.send(setCatalog, { id, devices: ['HUB2'] })
      assert.deepEqual(await channelNames(admin, { catalog: id }), ['Foyer'])
      const { list, unlisted } = await admin.send(listCloudProblems, {})
      assert.deepEqual(
        list.map(({ hub, name, reason, severity, channel, confirmed }) => [
          hub,
          name,
          reason,
          severity,
          channel,
          confirmed
        ]),
        [['HUB1', 'Backup', 'no-data', 'bad', 2, true]]
      )
      assert.equal(unlisted, 0)
      assert.equal((await hubOf(admin, 'HUB1'))?.summary?.verdict, 'online')
      assert.deepEqual((await hubOf(admin, 'HUB1'))?.summary?.verdicts, { 'on-air': 1, down: 1 })
    })
  )

  stores.test('changes of a digest are applied, announced, and its times follow the clock of the cloud', () =>
    withHubs(stores, async ({ admin, start }) => {
      const hub = await start('HUB1')
      // Its clock is ten years late.
      const hubNow = Date.now() - 315_360_000_000
      const whole = wholeDigest([channelOf(1, 'Main')])
      hub.send({ ...whole, now: hubNow, channels: [{ ...channelOf(1, 'Main'), since: hubNow - 60_000 }] })
      await untilChannels(admin, 1)
      const [channel] = (await admin.send(listCloudChannels, {})).list
      assert.ok(Math.abs((channel?.health.since ?? 0) - (Date.now() - 60_000)) < 30_000)
      const revision = async () => (await admin.send(getRevisions, {})).revs.problem ?? 0
      const before = await revision()
      hub.send({ problems: [problemOf(1, 'Main')], channels: [channelOf(1, 'Main', 'down')] })
      await until(async () => (await revision()) > before, 'a new revision')
      assert.deepEqual(await problemNames(admin), ['Main'])
      hub.send({ ended: ['channel-1'], channels: [channelOf(1, 'Main')] })
      await until(async () => (await problemNames(admin)).length === 0, 'the problem has ended')
      hub.send({ gone: [1] })
      await untilChannels(admin, 0)
    })
  )

  stores.test('what a digest does not list is counted', () =>
    withHubs(stores, async ({ admin, start }) => {
      const hub = await start('HUB1')
      hub.send({ ...wholeDigest([channelOf(1, 'Main')], [], { channels: 5000, bad: 300 }), more: true })
      await untilChannels(admin, 1)
      assert.equal((await admin.send(listCloudChannels, {})).unlisted, 4999)
      assert.equal((await admin.send(listCloudProblems, {})).unlisted, 300)
      assert.equal((await hubOf(admin, 'HUB1'))?.summary?.partial, true)
    })
  )
}

function testAge(stores: Stores): void {
  stores.test('a hub that goes offline keeps its digest, for which nobody vouches, and since when is known', () =>
    withHubs(stores, async ({ admin, start }) => {
      const hub = await start('HUB1')
      hub.send(wholeDigest([channelOf(1, 'Main')], [problemOf(1, 'Main')]))
      await untilChannels(admin, 1)
      const stoppedAt = Date.now()
      hub.stop()
      await until(async () => !(await hubOf(admin, 'HUB1'))?.online, 'offline')
      await until(async () => ((await hubOf(admin, 'HUB1'))?.['offline-since'] ?? 0) >= stoppedAt, 'since when')
      const { summary } = (await hubOf(admin, 'HUB1')) ?? {}
      assert.deepEqual([summary?.verdict, summary?.confirmed], ['offline', false])
      const { list } = await admin.send(listCloudProblems, {})
      assert.deepEqual(
        list.map(({ kind, reason, confirmed }) => [kind, reason, confirmed]),
        [
          ['hub', 'hub-offline', true],
          ['channel', 'no-data', false]
        ]
      )
      assert.equal((await admin.send(listCloudChannels, {})).list[0]?.confirmed, false)
    })
  )

  stores.test('a connected hub that sends nothing any more does not look healthy', () => {
    let late = 0
    return withHubs(
      stores,
      async ({ admin, start }) => {
        const hub = await start('HUB1')
        hub.send(wholeDigest([channelOf(1, 'Main')]))
        await untilChannels(admin, 1)
        assert.equal((await hubOf(admin, 'HUB1'))?.summary?.verdict, 'online')
        late = 61_000
        const { summary, online } = (await hubOf(admin, 'HUB1')) ?? {}
        assert.deepEqual([online, summary?.verdict, summary?.confirmed], [true, 'unknown', false])
        const [problem] = (await admin.send(listCloudProblems, {})).list
        assert.deepEqual([problem?.kind, problem?.reason, problem?.severity], ['hub', 'hub-silent', 'warn'])
        hub.send({})
        await until(async () => (await hubOf(admin, 'HUB1'))?.summary?.verdict === 'online', 'current again')
      },
      () => Date.now() + late
    )
  })
}

function testAccess(stores: Stores): void {
  stores.test('a user sees what he may see: hubs by their masks, and kinds of problems by his permissions', () =>
    withHubs(stores, async ({ cloud, admin, start }) => {
      const [open, hidden] = [await start('HUB1'), await start('HUB2')]
      const certificate = { id: 'certificate', kind: 'certificate' as const, severity: 'bad' as const, since: 1 }
      open.send(
        wholeDigest([channelOf(1, 'Main')], [problemOf(1, 'Main'), { ...certificate, reason: 'certificate-expired' }])
      )
      hidden.send(wholeDigest([channelOf(1, 'Secret')], [problemOf(1, 'Secret')]))
      await untilChannels(admin, 2)
      await admin.send(setDeviceSecurity, {
        sn: 'HUB2',
        security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 }
      })
      const signInWith = async (name: string, permissions: number) => {
        const { id } = await admin.send(addGroup, { name: `${name} group`, permissions })
        await admin.send(addUser, { name, passwd: md5Of('Secret-1'), 'group-id': id })
        return cloud.signIn(name, 'Secret-1')
      }
      const operator = await signInWith('operator', CHANNEL_VIEW | DEVICE_VIEW)
      assert.deepEqual(await channelNames(operator), ['Main'])
      assert.deepEqual(await problemNames(operator), ['Main'])
      const technician = await signInWith('technician', DEVICE_VIEW)
      assert.deepEqual(await problemNames(technician), [])
      assert.equal((await technician.send(listCloudChannels, {})).result, NOT_PERMITTED)
      assert.equal((await hubOf(technician, 'HUB1'))?.summary?.verdicts, undefined)
      const blind = await signInWith('blind', CHANNEL_VIEW)
      assert.equal((await blind.send(listCloudChannels, {})).result, NOT_PERMITTED)
      await createOrganisation(cloud.store, 'evil')
      const evil = await cloud.signIn('Admin', 'Admin', 'evil')
      assert.deepEqual([await channelNames(evil), await problemNames(evil)], [[], []])
      assert.equal((await admin.send(deleteHubs, { sn: ['HUB1'] })).result, SUCCESS)
      await untilChannels(admin, 1)
      const rows = await cloud.store.within('headend', (scope) => scope.select('digests').select('sn').execute())
      assert.deepEqual(
        rows.map(({ sn }) => sn),
        ['HUB2']
      )
    })
  )
}

/** What a hub sends that is no digest. */
const ATTACKS: Readonly<Record<string, (hub: DigestHub) => void>> = {
  'text that is no JSON': (hub) => hub.stream?.write('hello\n'),
  'a wrong verdict': (hub) => hub.send({ channels: [{ id: 1, name: 'x', verdict: 'excellent' as 'on-air' }] }),
  'control characters in a name': (hub) => hub.send({ channels: [channelOf(2, 'a\u202Eb')] }),
  'a name that is too long': (hub) => hub.send({ channels: [channelOf(2, 'x'.repeat(129))] }),
  'an id that is markup': (hub) => hub.send({ problems: [{ ...problemOf(2, 'x'), id: '<img>' }] }),
  'a line without end': (hub) => hub.stream?.write('x'.repeat(DIGEST_LINE_MAX + 1)),
  'more channels than a digest has': (hub) => {
    for (let id = 0; id < 1100; id += 50)
      hub.send({ channels: Array.from({ length: 50 }, (_, index) => channelOf(id + index, 'x')) })
  },
  'a flood': (hub) => {
    const line: Partial<DigestLine> = { channels: Array.from({ length: 40 }, (_, id) => channelOf(10 + id, 'x')) }
    for (let count = 0; count < 400; count++) hub.send(line)
  }
}

function testAttacks(stores: Stores): void {
  for (const [name, attack] of Object.entries(ATTACKS))
    stores.test(`a hub that sends ${name} is refused, logged, and keeps its link and its last digest`, () =>
      withHubs(stores, async ({ admin, start }) => {
        const hub = await start('HUB1')
        hub.send(wholeDigest([channelOf(1, 'Main')]))
        await untilChannels(admin, 1)
        attack(hub)
        const lines = async () => (await admin.send(listLog, { type: 'device' })).list
        await until(async () => (await lines()).some(({ event }) => event === 'hub-digest'), 'a line of the log')
        await until(() => hub.stream?.closed, 'the stream is closed')
        const { online } = (await hubOf(admin, 'HUB1')) ?? {}
        assert.equal(online, true)
        assert.ok((await channelNames(admin, { key: 'Main' })).includes('Main'))
        assert.equal(hub.opened, 1)
      })
    )
}

for (const stores of bothDatabases(test)) {
  testLists(stores)
  testAge(stores)
  testAccess(stores)
  testAttacks(stores)
}

test('what a hub says to one node is announced and shown at another one', async () => {
  const postgres = await startPostgres()
  const data = mkdtempSync(join(tmpdir(), 'headend-digests-'))
  const clouds: TestCloud[] = []
  try {
    const databaseUrl = await postgres.createDatabase()
    const start = async () => {
      const cloud = await startCloud({ databaseUrl, keyFile: join(data, 'cloud.key') })
      clouds.push(cloud)
      return { cloud, ...(await cloud.listen(0, 0)) }
    }
    const [first, second] = [await start(), await start()]
    const [admin, other] = [await first.cloud.signIn(), await second.cloud.signIn()]
    const hub = await startDigestHub(admin, first.linkPort, 'HUB1')
    try {
      hub.send(wholeDigest([channelOf(1, 'Main')]))
      await untilChannels(other, 1)
      await until(
        async () => (await hubOf(other, 'HUB1'))?.summary?.verdict === 'online',
        'confirmed at the other node'
      )
      const revision = async () => (await other.send(getRevisions, {})).revs.problem ?? 0
      const before = await revision()
      hub.send({ channels: [channelOf(1, 'Main', 'down')], problems: [problemOf(1, 'Main')] })
      await until(async () => (await revision()) > before && (await problemNames(other))[0] === 'Main', 'the problem')
    } finally {
      hub.stop()
    }
  } finally {
    for (const cloud of clouds) await cloud.close()
    await postgres.close()
    rmSync(data, { recursive: true })
  }
})

test('a restarted cloud knows the last digests, and since when hubs are offline', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-digests-'))
  try {
    const before = await startCloud({ data })
    const { linkPort } = await before.listen(0, 0)
    const admin = await before.signIn()
    const hub = await startDigestHub(admin, linkPort, 'HUB1')
    hub.send(wholeDigest([channelOf(1, 'Main', 'down')]))
    await untilChannels(admin, 1)
    const closedAt = Date.now()
    await before.close()
    hub.stop()
    const after = await startCloud({ data })
    try {
      const user = await after.signIn()
      const listed = await hubOf(user, 'HUB1')
      assert.ok((listed?.['offline-since'] ?? 0) >= closedAt)
      assert.deepEqual([listed?.summary?.verdict, listed?.summary?.confirmed], ['offline', false])
      assert.deepEqual(await channelNames(user), ['Main'])
    } finally {
      await after.close()
    }
  } finally {
    rmSync(data, { recursive: true })
  }
})

test.run()
