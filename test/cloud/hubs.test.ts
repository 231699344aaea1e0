import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { createOrganisation } from '../../cloud/auth/first-users.ts'
import { PENDING_MAX } from '../../cloud/links/registrations.ts'
import {
  acceptHubs,
  deleteHubs,
  getInvitation,
  listHubs,
  rejectHubs,
  renewInvitation
} from '../../contract/cloud/calls.ts'
import { HUB_HELLO_HEADER, type HubHello } from '../../contract/cloud/link.ts'
import { NOT_EXIST, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LINK_PROTOCOL, REFUSAL_STATE } from '../../contract/device/link.ts'
import { type CloudClient, startCloud, type TestCloud } from '../kit/cloud/cloud.ts'
import { type FakeHub, helloOf, startFakeHub } from '../kit/cloud/fake-hub.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('hubs in the cloud')

const { registering, accepted, rejected, pending, deleted } = REGISTRATION_STATE
const { exists, wrongCode, illegalDevice } = REFUSAL_STATE

interface Fixture {
  cloud: TestCloud
  admin: CloudClient
  invitation: string
  linkPort: number
  /** Starts a hub, and waits for the answer to its hello. */
  register(sn: string, owner?: string, invitation?: string, more?: Partial<HubHello>): Promise<FakeHub>
  /** Serial numbers of the organisation's hubs with their states, `+` for those that are online. */
  listed(client?: CloudClient): Promise<string[]>
}

type WithCloud = (run: (fixture: Fixture) => Promise<void>) => Promise<void>

const withCloudOn =
  (databaseUrl: () => Promise<string | undefined>): WithCloud =>
  async (run) => {
    const cloud = await startCloud({ databaseUrl: await databaseUrl() })
    const hubs: FakeHub[] = []
    try {
      const { linkPort } = await cloud.listen(0, 0)
      const admin = await cloud.clientAs()
      const { invitation } = await admin.send(getInvitation, {})
      await run({
        ...{ cloud, admin, invitation, linkPort },
        async register(sn, owner, from = invitation, more = {}) {
          const hub = startFakeHub(linkPort, () => ({ ...helloOf(from, sn, owner), ...more }))
          hubs.push(hub)
          await until(() => hub.states.at(-1) !== registering && hub.states.length > 0, `${sn} has an answer`)
          return hub
        },
        async listed(client = admin) {
          const { list } = await client.send(listHubs, {})
          return list.map(({ sn, state, online }) => `${sn} ${state}${online ? '+' : ''}`)
        }
      })
    } finally {
      for (const hub of hubs) hub.stop()
      await cloud.close()
    }
  }

/** Sends a hello that is refused or postponed. */
async function answerTo(port: number, hello: unknown, header = HUB_HELLO_HEADER) {
  const value = Buffer.from(typeof hello === 'string' ? hello : JSON.stringify(hello)).toString('base64url')
  const headers = { connection: 'Upgrade', upgrade: LINK_PROTOCOL, [header]: value }
  const [response] = await once(request({ host: '127.0.0.1', port, path: '/link', headers }).end(), 'response')
  let text = ''
  for await (const part of response) text += part
  return { status: response.statusCode, state: JSON.parse(text).state }
}

function testDecisions({ test }: Stores, withCloud: WithCloud): void {
  test('a hub registers as pending, is accepted, rejected and deleted', () =>
    withCloud(async ({ admin, register, listed }) => {
      const hub = await register('HUB1')
      assert.deepEqual(hub.states, [registering, pending])
      await until(async () => (await listed())[0] === `HUB1 ${pending}+`, 'HUB1 is online')
      assert.deepEqual((await admin.send(acceptHubs, { sn: ['HUB1', 'HUB2'] })).sn, ['HUB1'])
      await until(() => hub.states.at(-1) === accepted, 'HUB1 knows that it is accepted')
      await admin.send(rejectHubs, { sn: ['HUB1'] })
      await until(() => hub.link.state === 'refused', 'HUB1 is refused')
      assert.equal(hub.states.at(-1), rejected)
      assert.deepEqual(await listed(), [`HUB1 ${rejected}`])
      const again = await register('HUB1')
      assert.equal(again.states.at(-1), rejected)
      await admin.send(acceptHubs, { sn: ['HUB1'] })
      const back = await register('HUB1')
      await until(async () => (await listed())[0] === `HUB1 ${accepted}+`, 'HUB1 is back')
      assert.equal((await admin.send(deleteHubs, { sn: ['HUB1'] })).result, SUCCESS)
      await until(() => back.link.state === 'away', 'HUB1 knows that it was deleted')
      assert.equal(back.states.at(-1), deleted)
      assert.deepEqual(await listed(), [])
      assert.equal((await admin.send(acceptHubs, { sn: ['HUB1'] })).result, NOT_EXIST)
    }))

  test('an accepted hub needs no code, and a new one the current code', () =>
    withCloud(async ({ admin, register, listed }) => {
      const hub = await register('HUB1')
      await admin.send(acceptHubs, { sn: ['HUB1'] })
      hub.stop()
      const { invitation } = await admin.send(renewInvitation, {})
      assert.equal((await register('HUB1')).states.at(-1), accepted)
      assert.equal((await register('HUB2')).states.at(-1), wrongCode)
      assert.equal((await register('HUB3', 'owner', invitation)).states.at(-1), pending)
      await until(async () => (await listed()).every((line) => line.endsWith('+')), 'both are online')
      assert.deepEqual(await listed(), [`HUB1 ${accepted}+`, `HUB3 ${pending}+`])
    }))

  test('a Viewer sees the hubs and does not decide on them', () =>
    withCloud(async ({ cloud, register, listed }) => {
      await register('HUB1')
      const viewer = await cloud.signInAs('Viewer')
      assert.equal((await listed(viewer)).length, 1)
      for (const call of [acceptHubs, rejectHubs, deleteHubs])
        assert.equal((await viewer.send(call, { sn: ['HUB1'] })).result, NOT_PERMITTED)
      const user = await cloud.signInAs('User')
      assert.equal((await user.send(acceptHubs, { sn: ['HUB1'] })).result, SUCCESS)
    }))
}

function testAttacks({ test }: Stores, withCloud: WithCloud): void {
  test('a hub with the serial number of another one is refused and logged, and the other one stays online', () =>
    withCloud(async ({ cloud, admin, register, listed }) => {
      await register('HUB1')
      await admin.send(acceptHubs, { sn: ['HUB1'] })
      await until(async () => (await listed())[0] === `HUB1 ${accepted}+`, 'HUB1 is online')
      assert.equal((await register('HUB1', 'thief')).states.at(-1), exists)
      assert.deepEqual(await listed(), [`HUB1 ${accepted}+`])
      // A copy with the same key, while the first one responds.
      assert.equal((await register('HUB1')).states.at(-1), exists)
      const events = await cloud.store.within('headend', (scope) =>
        scope.select('log_entries').select(['event', 'detail']).where('event', 'like', 'hub-%').orderBy('id').execute()
      )
      assert.deepEqual(
        events.map(({ event, detail }) => `${event} ${detail}`),
        ['hub-registered HUB1 Hub HUB1', 'hub-foreign-serial HUB1 Hub HUB1', 'hub-copy HUB1 Hub HUB1']
      )
    }))

  test('of two hubs that register with a new serial number at the same time, one is stored', () =>
    withCloud(async ({ register, listed }) => {
      const hubs = await Promise.all(['a', 'b', 'c'].map((owner) => register('HUB1', owner)))
      assert.deepEqual(hubs.map(({ states }) => states.at(-1)).sort(), [pending, exists, exists])
      assert.equal((await listed()).length, 1)
    }))

  test('organisations have hubs of their own, also with the same serial number', () =>
    withCloud(async ({ cloud, admin, register, listed }) => {
      await createOrganisation(cloud.store, 'evil')
      const evil = await cloud.clientAs('Admin', 'evil')
      const { invitation } = await evil.send(getInvitation, {})
      await register('HUB1')
      assert.deepEqual(await listed(evil), [])
      for (const call of [acceptHubs, rejectHubs, deleteHubs])
        assert.equal((await evil.send(call, { sn: ['HUB1'] })).result, NOT_EXIST)
      await register('HUB1', 'thief', invitation)
      await evil.send(acceptHubs, { sn: ['HUB1'] })
      await until(async () => (await listed(evil))[0] === `HUB1 ${accepted}+`, 'the hub of the other organisation')
      assert.equal((await evil.send(deleteHubs, { sn: ['HUB1'] })).result, SUCCESS)
      await until(async () => (await listed(admin))[0] === `HUB1 ${pending}+`, 'HUB1 is as it was')
      const foreign = await register('HUB2', 'owner', invitation.replace('evil', 'headend'))
      const nobody = await register('HUB2', 'owner', invitation.replace('evil', 'nobody'))
      assert.deepEqual([foreign.states.at(-1), nobody.states.at(-1)], [wrongCode, wrongCode])
    }))

  test('a new hub waits while too many are pending, and a known one does not', () =>
    withCloud(async ({ cloud, admin, invitation, linkPort, register }) => {
      await register('HUB1')
      await cloud.store.within('headend', async (scope) => {
        const row = { name: 'x', version: '1', key_hash: '', state: pending, address: '', registered: 1 }
        for (let index = 1; index < PENDING_MAX; index++)
          await scope.insert('hubs', { ...row, sn: `STORED${index}` }).execute()
      })
      const late = await answerTo(linkPort, helloOf(invitation, 'HUB2'))
      assert.deepEqual(late, { status: 503, state: registering })
      await admin.send(acceptHubs, { sn: ['STORED1'] })
      assert.equal((await register('HUB2')).states.at(-1), pending)
    }))

  test('what is no hello is refused, also that of a device', () =>
    withCloud(async ({ invitation, linkPort, listed }) => {
      const valid = helloOf(invitation, 'HUB1')
      const refusalOf = async (hello: unknown, header?: string) => (await answerTo(linkPort, hello, header)).state
      for (const hello of [
        '',
        'null',
        '[]',
        { ...valid, sn: '../1' },
        { ...valid, organisation: "x' or 1=1" },
        { ...valid, key: 'f'.repeat(63) },
        { ...valid, name: 'a\u202eb' },
        { ...valid, name: 'x'.repeat(65) },
        { ...valid, code: 7 }
      ])
        assert.equal(await refusalOf(hello), illegalDevice, JSON.stringify(hello))
      assert.equal(await refusalOf(valid, 'headend-device'), illegalDevice)
      assert.deepEqual(await listed(), [])
    }))
}

function testCopies({ test }: Stores, withCloud: WithCloud): void {
  test('two hubs with one key are both held and named, and the second one takes over when the first one is gone', () =>
    withCloud(async ({ cloud, admin, register }) => {
      const registerAs = (instance: string) => register('HUB1', 'owner', undefined, { instance, name: instance })
      const copiesOf = async () => (await admin.send(listHubs, {})).list[0]?.copies.map(({ name }) => name)
      const first = await registerAs('original')
      await admin.send(acceptHubs, { sn: ['HUB1'] })
      await until(() => first.states.at(-1) === accepted, 'the first one is accepted')
      const link = cloud.links.linkOf('headend', 'HUB1')
      const copy = await registerAs('restored')
      assert.equal(copy.states.at(-1), exists)
      await until(() => copy.link.state === 'up', 'the copy is held')
      assert.deepEqual(await copiesOf(), ['restored'])
      const { list } = await admin.send(listHubs, {})
      assert.ok(list[0]?.warnings.includes('duplicated'))
      assert.equal(cloud.links.linkOf('headend', 'HUB1'), link)
      first.stop()
      await until(() => copy.states.at(-1) === accepted, 'the copy has taken over')
      assert.deepEqual(await copiesOf(), [])
      // A link of the same hub replaces its former one.
      await registerAs('restored')
      await until(async () => cloud.links.isOnline('headend', 'HUB1'), 'it is online')
      assert.deepEqual(await copiesOf(), [])
    }))

  test('copies beyond a limit are refused, and all are told when the hub is deleted', () =>
    withCloud(async ({ admin, register }) => {
      const hubs: FakeHub[] = []
      for (const instance of ['instance1', 'instance2', 'instance3', 'instance4'])
        hubs.push(await register('HUB1', 'owner', undefined, { instance }))
      const fifth = await register('HUB1', 'owner', undefined, { instance: 'instance5' })
      await until(() => fifth.link.state === 'refused', 'the fifth one is refused')
      await until(() => hubs.every(({ link }) => link.state === 'up'), 'the others are held')
      await admin.send(deleteHubs, { sn: ['HUB1'] })
      await until(() => hubs.every(({ link }) => link.state === 'away'), 'all know that it was deleted')
    }))

  test('a hub that was deleted while it had no link learns it, and a stranger learns nothing with the same claim', () =>
    withCloud(async ({ admin, invitation, register, linkPort, listed }) => {
      const hub = await register('HUB1')
      hub.stop()
      await admin.send(deleteHubs, { sn: ['HUB1'] })
      const claim = { registered: true }
      assert.equal((await register('HUB1', 'owner', undefined, claim)).states.at(-1), deleted)
      assert.deepEqual(await listed(), [])
      for (const organisation of ['headend', 'nobody']) {
        const hello = { ...helloOf(invitation, 'HUB2'), ...claim, organisation, code: 'wrong' }
        assert.deepEqual(await answerTo(linkPort, hello), { status: 403, state: deleted })
      }
    }))
}

for (const stores of bothDatabases(test)) {
  testDecisions(stores, withCloudOn(stores.databaseUrl))
  testAttacks(stores, withCloudOn(stores.databaseUrl))
  testCopies(stores, withCloudOn(stores.databaseUrl))
}

test.run()
