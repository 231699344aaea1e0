// A hub notices that its disk is full and that it has space again, and needs no space at all for sessions.
import assert from 'node:assert/strict'
import { rmSync, statSync, truncateSync } from 'node:fs'
import { suite } from 'uvu'
import { getSession, logout } from '../../../contract/access/session.ts'
import { listSessions } from '../../../contract/access/user.ts'
import { NO_SPACE, NOT_LOGGED_IN, SUCCESS } from '../../../contract/codes.ts'
import { setSettings } from '../../../contract/settings.ts'
import { addChannel, channelDashboard } from '../../../contract/stream/channel.ts'
import { RESERVE_FILE } from '../../../hub/data-folder/entries.ts'
import { disk, hub, isFaulty, smallDiskForEach, startHub, writeUntilRefused } from '../../kit/hub/small-disk-hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('disk space')
smallDiskForEach(test)

test('the hub notices a full disk without a write, and a deletion that frees enough ends the fault', async () => {
  disk.fill()
  await until(isFaulty, 'the hub notices that the disk is full')
  truncateSync(disk.path('filler'), statSync(disk.path('filler')).size - (2 << 20))
  assert.equal((await hub.send(addChannel, { name: 'x' })).result, NO_SPACE, 'a little space is not enough')
  truncateSync(disk.path('filler'), statSync(disk.path('filler')).size - (6 << 20))
  await until(async () => !(await isFaulty()), 'the hub notices the free space')
  assert.equal((await hub.send(addChannel, { name: 'x' })).result, SUCCESS)
})

test('without any space left sessions begin and end in memory, and are stored later', async () => {
  await hub.send(addChannel, { name: 'kept' })
  const ended = hub.cookie()
  const releaseSnapshot = await disk.holdSnapshot()
  disk.fill()
  await writeUntilRefused()
  rmSync(disk.path(RESERVE_FILE))
  disk.fill()
  await until(
    async () => (await hub.send(setSettings, { 'expired-time': 30 })).result === NO_SPACE,
    'essential changes fail, too'
  )
  assert.equal((await hub.send(logout, {})).result, SUCCESS)
  assert.equal((await hub.send(getSession, {})).result, NOT_LOGGED_IN)
  await hub.signIn()
  const cookie = hub.cookie()
  assert.equal((await hub.send(getSession, {})).result, SUCCESS)
  const { list: sessions } = await hub.send(listSessions, {})
  assert.ok(
    sessions.some(({ id, own }) => own && id < 0),
    'the session is in memory'
  )
  assert.ok((await hub.send(channelDashboard, {})).list.some(({ name }) => name === 'kept'))

  await releaseSnapshot()
  rmSync(disk.path('filler'))
  await until(async () => !(await isFaulty()), 'the hub notices the free space')
  await hub.kill()
  await startHub()
  const resultOf = async (value: string) => {
    const response = await fetch(`${hub.url}/api${getSession.path}`, { headers: { cookie: value } })
    return ((await response.json()) as { result: number }).result
  }
  assert.equal(await resultOf(cookie), SUCCESS, 'the session was stored')
  assert.equal(await resultOf(ended), NOT_LOGGED_IN, 'the session that ended has not come back')
})

test.run()
