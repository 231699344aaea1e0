// A hub whose disk is full, and has space again: a real file system of 40 MiB.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { suite } from 'uvu'
import { getSession, login } from '../../../contract/access/session.ts'
import { listSessions } from '../../../contract/access/user.ts'
import { NO_SPACE, SUCCESS } from '../../../contract/codes.ts'
import { listDevices } from '../../../contract/device/device.ts'
import { clearLog, listLog } from '../../../contract/log.ts'
import { getSettings } from '../../../contract/settings.ts'
import { addChannel, channelDashboard, deleteChannels, enableChannel } from '../../../contract/stream/channel.ts'
import { SYSTEM_STATUS_BITS } from '../../../contract/system.ts'
import { RESERVE_FILE } from '../../../hub/data-folder/entries.ts'
import { RESERVE_SIZE } from '../../../hub/storage-fault/reserve.ts'
import {
  disk,
  hub,
  isFaulty,
  smallDiskForEach,
  startHub,
  systemStatusOf,
  writeUntilRefused
} from '../../kit/hub/small-disk-hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('full disk')
smallDiskForEach(test)

/** Makes all sessions look unused for a minute, so that the next request records their use. */
const ageSessions = () => disk.execute('UPDATE session SET seen = seen - 60000')

test('on a full disk reading and signing in work, changes have result 29, and deletions are possible', async () => {
  const { id } = await hub.send(addChannel, { name: 'kept' })
  const { id: deleted } = await hub.send(addChannel, { name: 'deleted' })
  ageSessions()
  disk.fill()
  // The first read records the use of the session, which cannot be stored.
  assert.equal((await hub.send(getSession, {})).result, SUCCESS)
  assert.equal(await writeUntilRefused(), NO_SPACE)
  assert.equal((await hub.send(addChannel, { name: 'refused' })).result, NO_SPACE)
  const { 'status-code': code, 'storage-fault': fault } = await systemStatusOf()
  assert.deepEqual([(code & SYSTEM_STATUS_BITS.storageFault) !== 0, fault], [true, 'full'])
  const { ready, failing } = await (await fetch(`${hub.url}/healthz`)).json()
  assert.deepEqual([ready, failing.includes('storage')], [false, true])
  for (const call of [listDevices, channelDashboard, getSettings, listSessions] as const)
    assert.equal((await hub.send(call as typeof getSettings, {})).result, SUCCESS, call.path)
  assert.equal((await hub.send(listLog, { type: 'operation' })).result, SUCCESS)

  const before = hub.cookie()
  await hub.signIn()
  assert.notEqual(hub.cookie(), before)
  assert.equal((await hub.send(getSession, {})).result, SUCCESS)
  const wrong = await hub.send(login, { id: 'Admin', pass: createHash('md5').update('wrong').digest('hex') })
  assert.notEqual(wrong.result, SUCCESS)
  assert.ok(![NO_SPACE, 6].includes(wrong.result), `a wrong password is answered as always: ${wrong.result}`)

  assert.equal((await hub.send(enableChannel, { id, enable: true })).result, SUCCESS)
  assert.equal((await hub.send(deleteChannels, { id: deleted })).result, SUCCESS)
  assert.equal((await hub.send(clearLog, { type: 'device' })).result, SUCCESS)
  const names = (await hub.send(channelDashboard, {})).list.map(({ name }) => name)
  assert.ok(names.includes('kept') && !names.includes('deleted') && !names.includes('refused'))
  assert.equal(
    (await hub.send(addChannel, { name: 'refused' })).result,
    NO_SPACE,
    'the reserve is not for other changes'
  )

  // Acknowledged changes survive the end of the process, and the hub starts on the full disk.
  await hub.kill()
  // What the changes before have freed.
  disk.fill()
  await startHub()
  assert.equal(await isFaulty(), true)
  const after = (await hub.send(channelDashboard, {})).list
  assert.ok(after.some(({ name }) => name === 'kept'))
  assert.ok(!after.some(({ name }) => name === 'deleted'))
  assert.equal((await hub.send(addChannel, { name: 'refused' })).result, NO_SPACE)

  rmSync(disk.path('filler'))
  await until(async () => !(await isFaulty()), 'the hub notices the free space')
  assert.equal((await systemStatusOf())['storage-fault'], undefined)
  assert.equal((await hub.send(addChannel, { name: 'again' })).result, SUCCESS)
  const reserveSize = () => statSync(disk.path(RESERVE_FILE), { throwIfNoEntry: false })?.size
  await until(() => reserveSize() === RESERVE_SIZE, 'the reserve is made again')
  const operations = (await hub.send(listLog, { type: 'operation', count: 1000 })).list
  const refused = operations.filter(({ event, code: result }) => event === addChannel.path && result === NO_SPACE)
  assert.equal(refused.length, 1, 'a refused change of this run has its line in the log')
  const { list: events } = await hub.send(listLog, { type: 'system', count: 1000 })
  const isStorage = (event: string) => event.startsWith('storage-')
  assert.deepEqual(events.map(({ event }) => event).filter(isStorage), ['storage-recovered', 'storage-full'])
})

test.run()
