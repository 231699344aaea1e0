// Scheduled takes: when they are made, and when they are logged and not made.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { NDI_EDIT, NDI_VIEW } from '../../../contract/access/permissions.ts'
import { addToken, NEVER_EXPIRES } from '../../../contract/access/token.ts'
import { deleteUsers } from '../../../contract/access/user.ts'
import { SUCCESS, WRONG_STATE } from '../../../contract/codes.ts'
import { listLog } from '../../../contract/log.ts'
import {
  addMatrix,
  deleteScheduledTake,
  lockDestination,
  SCHEDULE_LATE_MAX,
  takeRoutes,
  undoTake
} from '../../../contract/ndi/router.ts'
import { addSignedInUser, type Client } from '../../kit/hub/hub.ts'
import { admin, hub, hubForEach, replaceHub } from '../../kit/hub/hub-for-each.ts'
import { until } from '../../kit/until.ts'

/** The clock of the hub, in milliseconds since the epoch. */
let time = 0
const clock = () => time
const data = mkdtempSync(join(tmpdir(), 'headend-scheduled-'))

const test = suite('scheduled takes')
hubForEach(test, { clock })
test.after(() => rmSync(data, { recursive: true, force: true }))

let operator: Client
let id: number

async function addStudio(): Promise<void> {
  operator = addSignedInUser(hub, 'Operator', NDI_VIEW | NDI_EDIT)
  const sources = [{ name: 'HALL (Cam 1)' }, { name: 'HALL (Cam 2)' }]
  id = (await admin.send(addMatrix, { name: 'Studio', machine: 'Studio', sources, destinations: [{}] })).id
}

test.before.each(async () => {
  time = Date.now()
  await addStudio()
})

function studio() {
  const matrix = hub.parts.routers.get(id)
  return { source: matrix?.destinations[0]?.source, by: matrix?.destinations[0]?.by, waiting: matrix?.scheduled.length }
}

/** Schedules a take of source 2. @param seconds from now */
const schedule = (client: Client, seconds: number) =>
  client.send(takeRoutes, {
    id,
    name: 'Service begins',
    at: Math.floor(time / 1000) + seconds,
    takes: [{ destination: 1, source: 2 }]
  })

/** Lets time pass. The hub looks at its clock when a take is scheduled; that one, long after the others, stays. */
async function pass(seconds: number): Promise<void> {
  time += seconds * 1000
  await schedule(admin, 24 * 3600)
}

const events = async () =>
  (await admin.send(listLog, { type: 'system' })).list.flatMap(({ event, detail }) =>
    event?.startsWith('scheduled-take') ? [`${event}: ${detail}`] : []
  )

async function restart(seconds: number): Promise<void> {
  time += seconds * 1000
  await replaceHub({ data, clock })
}

test('a take is made at its time in the name of its user, and not before', async () => {
  const { result, scheduled } = await schedule(operator, 60)
  assert.equal(result, SUCCESS)
  assert.ok(scheduled)
  await pass(58)
  assert.deepEqual(studio(), { source: 0, by: '', waiting: 2 })
  await pass(2)
  await until(() => studio().source === 2, 'the take')
  await until(() => studio().waiting === 2, 'only the later takes')
  assert.equal(studio().by, 'Operator')
  assert.deepEqual(await events(), [])
})

test('the operation log has the token with which a take was scheduled', async () => {
  const { token } = await admin.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['channels'], name: 'Playout' })
  await schedule(Object.assign(hub.client(), { token }), 60)
  await pass(60)
  await until(() => studio().source === 2, 'the take')
  const { list } = await admin.send(listLog, { type: 'operation' })
  const take = list.find(({ event, ip }) => event === takeRoutes.path && ip === '')
  assert.deepEqual([take?.user, take?.token], ['Admin', 'Playout'])
})

test('a take that was deleted is not made', async () => {
  const { scheduled = 0 } = await schedule(operator, 60)
  assert.equal((await admin.send(deleteScheduledTake, { id, scheduled })).result, SUCCESS)
  await pass(60)
  assert.deepEqual(studio(), { source: 0, by: '', waiting: 1 })
})

test('the scheduled take of a deleted user is refused', async () => {
  await schedule(operator, 60)
  const user = hub.parts.store.users.byName('Operator')
  assert.equal((await admin.send(deleteUsers, { id: user?.id ?? 0 })).result, SUCCESS)
  await pass(60)
  await until(() => studio().waiting === 1, 'only the later take')
  assert.equal(studio().source, 0)
  assert.deepEqual(await events(), ['scheduled-take-refused: Studio, Service begins'])
})

test('a destination that somebody else has locked is not switched', async () => {
  await schedule(operator, 60)
  await admin.send(lockDestination, { id, destination: 1, locked: true })
  await pass(60)
  await until(() => studio().waiting === 1, 'only the later take')
  assert.equal(studio().source, 0)
  assert.deepEqual(await events(), ['scheduled-take-failed: Studio, Service begins'])
  assert.equal((await operator.send(takeRoutes, { id, takes: [{ destination: 1, source: 1 }] })).result, WRONG_STATE)
})

test('a take whose removal a storage fault delays is neither made again nor reported as missed', async () => {
  await schedule(operator, 60)
  const { database } = hub.parts.store
  const deferred: (() => unknown)[] = []
  // As during a storage fault.
  database.transactionOrLater = (work) => {
    deferred.push(work)
    return undefined
  }
  await pass(60)
  await until(() => deferred.length > 0, 'the take was made, and its removal is delayed')
  await admin.send(takeRoutes, { id, takes: [{ destination: 1, source: 1 }] })
  for (const seconds of [1, SCHEDULE_LATE_MAX]) {
    await pass(seconds)
    // Is answered after the takes before it.
    await admin.send(undoTake, { id, take: 1 })
    assert.equal(studio().source, 1)
  }
  Reflect.deleteProperty(database, 'transactionOrLater')
  for (const work of deferred) database.transaction(work)
  assert.deepEqual([studio().waiting, await events()], [3, []])
})

test('after a restart a take is made up to its longest delay, and logged as missed after it', async () => {
  await replaceHub({ data, clock })
  await addStudio()
  await schedule(operator, 60)
  await restart(60 + SCHEDULE_LATE_MAX - 1)
  await until(() => studio().source === 2, 'the take')
  await admin.send(takeRoutes, { id, takes: [{ destination: 1, source: 1 }] })
  await schedule(admin, 60)
  await restart(60 + SCHEDULE_LATE_MAX + 1)
  await until(() => studio().waiting === 0, 'no take')
  assert.equal(studio().source, 1)
  assert.deepEqual(await events(), ['scheduled-take-missed: Studio, Service begins'])
})

test.run()
