// The command of the restore, on a data folder that a hub has used.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listUsers } from '../../../contract/access/user.ts'
import { NOT_LOGGED_IN } from '../../../contract/codes.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { EXIT_DATA_IN_USE } from '../../../hub/data-folder/exit-status.ts'
import { archive, backupFolderForEach, channelNames, data, run, startOn } from '../../kit/hub/backup-folder.ts'

const test = suite('restore command')
backupFolderForEach(test)

test('a restore replaces later data and keeps it, ends all sessions, and is refused while a hub runs', async () => {
  let hub = await startOn(data)
  await hub.send(addChannel, { name: 'before' })
  assert.equal(run('backup', archive).status, 0)
  await hub.send(addChannel, { name: 'after' })
  const cookie = hub.cookie()
  const refused = run('restore', archive)
  assert.equal(refused.status, EXIT_DATA_IN_USE)
  assert.match(refused.text, new RegExp(`in use by hub, process ${hub.child.pid} .*Nothing was changed`))
  assert.deepEqual(await channelNames(hub), ['before', 'after'])
  await hub.kill()
  const { status, text } = run('restore', archive)
  assert.equal(status, 0, text)
  const [replaced = ''] = readdirSync(data).filter((name) => name.startsWith('replaced-'))
  assert.ok(text.includes(join(data, replaced)), text)
  hub = await startOn(data)
  assert.deepEqual(await channelNames(hub), ['before'])
  const response = await fetch(`${hub.url}/api${listUsers.path}`, { headers: { cookie } })
  assert.equal(
    ((await response.json()) as { result: number }).result,
    NOT_LOGGED_IN,
    'a session of before the restore has ended'
  )
  await hub.kill()
  // The replaced database can be restored in turn, with the WAL of the killed hub.
  assert.equal(run('restore', join(data, replaced, 'headend.sqlite')).status, 0)
  hub = await startOn(data)
  assert.deepEqual(await channelNames(hub), ['before', 'after'])
})

test.run()
