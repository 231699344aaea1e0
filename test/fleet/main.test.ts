import * as assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { sendControlRequest } from '../../fleet/process/control-socket.ts'
import { createRoster } from '../../fleet/roster.ts'
import { encodeArguments } from '../../fleet/streams/media.ts'
import { children, data, first, fleet, fleetForEach, hub, second, start } from '../kit/fleet/fleet-folder.ts'
import { hasStarted, isRunning } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'

const test = suite('fleet')
const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
fleetForEach(test)

test('each device has a process with its serial number in the title; killing it ends only its link, and it is not restarted', async () => {
  const { list, pidOf, child } = await start(2)
  assert.deepEqual(
    (await list()).map(({ sn, state, behaviour }) => [sn, state, behaviour]),
    [
      [first, 'up', 'normal'],
      [second, 'up', 'normal']
    ]
  )
  const pid = await pidOf(first)
  assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), new RegExp(`^headend-device ${first}`))
  process.kill(pid, 'SIGKILL')
  await until(() => !hub.online().includes(first), 'the end of the link')
  await until(async () => (await list())[0]?.state === 'ended', 'the end of the process')
  assert.deepEqual(hub.online(), [second])
  assert.deepEqual(children(child.pid), [await pidOf(second)])
  await sendControlRequest(join(data, 'fleet'), { act: 'start', sn: first })
  await until(() => hub.online().includes(first), 'the link again')
})

test('all device processes end when the supervisor is killed or terminated', async () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const { child, kill } = await start(3)
    const pids = children(child.pid)
    assert.equal(pids.length, 3)
    await kill(signal)
    await until(() => !pids.some(isRunning), `the end of all devices after ${signal}`)
    await until(() => hub.online().length === 0, 'the end of all links')
  }
})

test('a stream process ends with the process of its device, and with the supervisor', async () => {
  const file = join(data, 'clip.ts')
  const clip = encodeArguments({ picture: 'testsrc2=size=160x90:rate=25', tone: 440, length: 8 }, file)
  await run('ffmpeg', clip)
  const { child, pidOf } = await start(2, readFileSync(file))
  const order = { 'stream-id': '', passphrase: '', latency: 120, 'stream-index': 0 }
  const pusherPids: number[] = []
  for (const sn of [first, second]) {
    assert.equal((await hub.call(sn, 'POST', '/link/push', { ...order, port: 9 })).json?.result, 0)
    const pid = await pidOf(sn)
    await until(() => children(pid).filter(hasStarted).length === 1, 'ffmpeg')
    pusherPids.push(...children(pid))
  }
  // A stopped ffmpeg does not end by itself.
  for (const pid of pusherPids) process.kill(pid, 'SIGSTOP')
  process.kill(await pidOf(first), 'SIGKILL')
  await until(() => !isRunning(pusherPids[0] as number), 'the end of the first stream')
  child.kill('SIGKILL')
  await until(() => !isRunning(pusherPids[1] as number), 'the end of the second stream')
})

test('a fleet starts after one was killed in the same folder, but not while one is running there', async () => {
  await start(1)
  await fleet?.kill('SIGKILL')
  await until(() => hub.online().length === 0, 'the end of the link')
  const { child } = await start(1)
  const env = { ...process.env, DATA: data, FLEET: '1', HUB_LINK: `127.0.0.1:${hub.port}` }
  const { message } = (await run(process.execPath, [join(root, 'fleet/main.ts')], { env }).catch((e) => e)) as Error
  assert.match(message, /running/)
  assert.equal(child.exitCode, null)
})

test('the devices beyond the first 24 share a process', async () => {
  const { child, list } = await start(40)
  assert.equal(children(child.pid).length, 25)
  const [firstSerial, secondSerial] = [createRoster(40)[24]?.sn ?? '', createRoster(40)[39]?.sn ?? '']
  const pids = new Map((await list()).map(({ sn, pid }) => [sn, pid]))
  assert.equal(pids.get(firstSerial), pids.get(secondSerial))
  await sendControlRequest(join(data, 'fleet'), { act: 'stop', sn: firstSerial })
  await until(() => hub.online().length === 39, 'the end of one link')
  assert.ok(hub.online().includes(secondSerial))
  await sendControlRequest(join(data, 'fleet'), { act: 'start', sn: firstSerial })
  await until(() => hub.online().length === 40, 'the link again')
})

test('a fleet without devices exits without output', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'fleet/main.ts')], {
    env: { ...process.env, DATA: data, FLEET: '0' }
  })
  assert.equal(stdout, '')
})

test.run()
