// The command of the restore, on a data folder that a hub has used.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { listUsers } from '../../../contract/access/user.ts'
import { addChannel, channelDashboard } from '../../../contract/stream/channel.ts'
import { EXIT_DATA_IN_USE } from '../../../hub/storage/exit-status.ts'
import { type HubProcess, startHubProcess } from '../../kit/hub/hub-process.ts'

const test = suite('restore command')
let folder: string
let data: string
let archive: string
const hubs: HubProcess[] = []
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'headend-backup-'))
  data = join(folder, 'data')
  archive = join(folder, 'backup.tar')
  mkdirSync(data)
})
test.after.each(async () => {
  for (const hub of hubs.splice(0)) await hub.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function startOn(path: string): Promise<HubProcess> {
  const hub = await startHubProcess(path)
  hubs.push(hub)
  return hub
}

function run(program: 'backup' | 'restore', file: string, path = data) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`hub/${program}.ts`, file], {
    env: { ...process.env, DATA: path },
    encoding: 'utf8'
  })
  return { status, text: stdout + stderr }
}

const channelNames = async (hub: HubProcess) => (await hub.send(channelDashboard, {})).list.map(({ name }) => name)

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
  assert.equal(((await response.json()) as { result: number }).result, 37, 'a session of before the restore has ended')
  await hub.kill()
  // The replaced database can be restored in turn, with the WAL of the killed hub.
  assert.equal(run('restore', join(data, replaced, 'headend.sqlite')).status, 0)
  hub = await startOn(data)
  assert.deepEqual(await channelNames(hub), ['before', 'after'])
})

test.run()
