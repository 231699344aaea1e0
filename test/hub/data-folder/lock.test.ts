// The lock of a data folder: between processes, after SIGKILL, and within one process.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { EXIT_DATA_IN_USE } from '../../../hub/data-folder/exit-status.ts'
import { LOCK_HOLDER_FILE, lockDataFolder } from '../../../hub/data-folder/lock.ts'
import { startHubProcess } from '../../kit/hub/hub-process.ts'

const test = suite('data lock')
let data: string
let children: ChildProcess[] = []
test.before.each(() => {
  data = mkdtempSync(join(tmpdir(), 'headend-lock-'))
})
test.after.each(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  children = []
  rmSync(data, { recursive: true, maxRetries: 5 })
})

/** Runs a second hub on the data folder until it exits. */
async function runSecondHub(env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['hub/main.ts'], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LINK_PORT: '0', DATA: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  children.push(child)
  let text = ''
  const append = (chunk: Buffer) => {
    text += chunk
  }
  child.stdout.on('data', append)
  child.stderr.on('data', append)
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, text }
}

test('a second hub on the same data folder exits with a status of its own and names the first', async () => {
  const hub = await startHubProcess(data)
  children.push(hub.child)
  const { status, text } = await runSecondHub()
  assert.equal(status, EXIT_DATA_IN_USE)
  assert.ok(text.includes(`process ${hub.child.pid} on ${hostname()}, since 20`), text)
  assert.match(text, /is in use by hub/)
  assert.ok(!text.includes('Hub: http'), 'it opens no port')
  await hub.signIn()
  const again = await runSecondHub({ DATA: join(data, '..', data.slice(data.lastIndexOf('/') + 1)) })
  assert.equal(again.status, EXIT_DATA_IN_USE, 'a second refusal: the first one did not release the lock')
})

test('the lock does not survive SIGKILL, whatever the holder file says', async () => {
  const killed = await startHubProcess(data)
  children.push(killed.child)
  const left = readFileSync(join(data, LOCK_HOLDER_FILE), 'utf8')
  assert.equal(JSON.parse(left).pid, killed.child.pid)
  await killed.kill()
  assert.equal(readFileSync(join(data, LOCK_HOLDER_FILE), 'utf8'), left)
  const next = await startHubProcess(data)
  children.push(next.child)
  assert.equal(JSON.parse(readFileSync(join(data, LOCK_HOLDER_FILE), 'utf8')).pid, next.child.pid)
})

test('within one process the lock is exclusive too, and can be taken again after its release', () => {
  const lock = lockDataFolder(data, 'hub')
  assert.throws(() => lockDataFolder(data, 'restore'), new RegExp(`in use by hub, process ${process.pid}`))
  lock.release()
  lock.release()
  assert.ok(!existsSync(join(data, LOCK_HOLDER_FILE)))
  const next = lockDataFolder(data, 'restore')
  assert.throws(() => lockDataFolder(data, 'hub'), /in use by restore/)
  writeFileSync(join(data, LOCK_HOLDER_FILE), 'not JSON')
  assert.throws(() => lockDataFolder(data, 'hub'), /in use by another hub/)
  next.release()
})

test.run()
