import assert from 'node:assert/strict'
import { md5Of } from '../../accounts/passwords.ts'
import { createOrganisation } from '../../cloud/auth/first-users.ts'
import { NDI_VIEW } from '../../contract/access/permissions.ts'
import { addToken, NEVER_EXPIRES } from '../../contract/access/token.ts'
import { addGroup, addUser } from '../../contract/access/user.ts'
import { addCatalog } from '../../contract/catalog.ts'
import { cloudSchemaOf } from '../../contract/cloud/calls.schema.ts'
import { CLOUD_CALLS } from '../../contract/cloud/calls.ts'
import { NOT_LOGGED_IN, NOT_PERMITTED, SUCCESS } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { CloudClient, TestCloud } from '../kit/cloud/cloud.ts'
import { bothDatabases, type Stores } from '../kit/cloud/stores.ts'
import { TABLE_NAMES } from '../kit/cloud/tables.ts'
import { cloudsOf, type WithCloud } from '../kit/cloud/with-cloud.ts'
import { suite } from '../kit/runner/suite.ts'

const test = suite('attacks on the calls of the cloud')

/** A text that only the rows of the victim have. */
const MARK = 'victim'

/** Every row of an organisation. */
const dumpOf = (cloud: TestCloud, organisation: string) =>
  cloud.store.within(organisation, async (scope) => {
    const rows = []
    for (const table of TABLE_NAMES) rows.push([table, await scope.select(table).selectAll().execute()])
    return JSON.stringify(rows)
  })

/** Gives the organisation of the victim a row in every table that calls change. */
async function fill(cloud: TestCloud, admin: CloudClient): Promise<void> {
  const { id } = await admin.send(addGroup, { name: `${MARK} group`, permissions: 4 })
  await admin.send(addUser, { name: `${MARK}_user`, passwd: md5Of('Secret-1'), 'group-id': id })
  await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, name: `${MARK} token` })
  await admin.send(addCatalog, { id: 0, name: `${MARK} catalog` })
  await cloud.store.within('headend', async (scope) => {
    const row = { version: '1.0.0', key_hash: '', state: REGISTRATION_STATE.pending, address: '', registered: 1 }
    await scope.insert('hubs', { ...row, sn: 'VICTIM', name: `${MARK} hub` }).execute()
    const accepted = { ...row, state: REGISTRATION_STATE.accepted, sn: 'VICTIM2', name: `${MARK} second hub` }
    await scope.insert('hubs', accepted).execute()
    const counts = { channels: 1, verdicts: {}, devices: 0, 'devices-offline': 0, bad: 0, warn: 0 }
    const hub = { name: `${MARK} hub`, version: '1.0.0', health: { verdict: 'online' }, counts }
    const channels = [{ id: 1, name: `${MARK} channel`, verdict: 'down' }]
    const body = JSON.stringify({ hub, channels, problems: [], partial: false })
    await scope.insert('digests', { sn: 'VICTIM2', body, received: 1, revision: 1 }).execute()
  })
}

/** Requests of a call that name objects of the victim. */
function requestsOf(call: (typeof CLOUD_CALLS)[number]): object[] {
  const examples = cloudSchemaOf(call)?.examples ?? []
  const ids = [1, 2, 4, 8]
  return examples.flatMap((example) => {
    const named = {
      ...example,
      ...('sn' in example && { sn: Array.isArray(example.sn) ? ['VICTIM'] : 'VICTIM' }),
      ...('devices' in example && { devices: ['VICTIM'] }),
      ...('owner' in example && { owner: `${MARK}_user` }),
      ...('force' in example && { force: true })
    }
    return 'id' in example && typeof example.id !== 'string' ? ids.map((id) => ({ ...named, id })) : [named]
  })
}

function testAttacks({ test }: Stores, withCloud: WithCloud): void {
  test('an administrator of another organisation reads and changes no row by any call', () =>
    withCloud(async (cloud) => {
      await createOrganisation(cloud.store, 'evil')
      await fill(cloud, await cloud.clientAs())
      const before = await dumpOf(cloud, 'headend')
      assert.equal(before.split(MARK).length > 9, true)
      for (const call of CLOUD_CALLS) {
        if (call.access === 'public') continue
        // A call may have ended the session, or changed the password.
        const evil = await cloud.clientAs('Admin', 'evil')
        for (const request of requestsOf(call)) {
          const text = JSON.stringify(await evil.send(call, request)).replaceAll(
            JSON.stringify(request).slice(1, -1),
            ''
          )
          assert.ok(!text.includes(`${MARK} `), `${call.path}: ${text}`)
        }
      }
      assert.equal(await dumpOf(cloud, 'headend'), before)
    }))

  test('a user without the permission of a call is refused, and changes nothing', () =>
    withCloud(async (cloud) => {
      const admin = await cloud.clientAs()
      await fill(cloud, admin)
      const { id } = await admin.send(addGroup, { name: 'NDI', permissions: NDI_VIEW })
      await admin.send(addUser, { name: 'lowly', passwd: md5Of('Secret-1'), 'group-id': id })
      const lowly = await cloud.clientAs('lowly')
      const stranger = cloud.client()
      let checked = 0
      for (const call of CLOUD_CALLS) {
        if (call.access === 'public') continue
        const [request = {}] = requestsOf(call)
        assert.equal(((await stranger.send(call, request)) as { result: number }).result, NOT_LOGGED_IN, call.path)
        if (call.access === 'session' || (typeof call.access === 'number' && (call.access & NDI_VIEW) !== 0)) continue
        checked++
        assert.equal(((await lowly.send(call, request)) as { result: number }).result, NOT_PERMITTED, call.path)
      }
      assert.ok(checked > 20)
      assert.equal((await admin.send(addCatalog, { id: 1, name: 'still there' })).result, SUCCESS)
    }))
}

for (const stores of bothDatabases(test)) testAttacks(stores, cloudsOf(stores))

test.run()
