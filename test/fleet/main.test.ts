import * as assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { sendControlRequest } from '../../fleet/process/control-socket.ts'
import { createRoster } from '../../fleet/roster.ts'
import { encodeArguments } from '../../fleet/streams/media.ts'
import { type FleetProcess, startFleet } from '../kit/fleet/fleet-process.ts'
import { type LinkHub, startLinkHub, until } from '../kit/fleet/link-hub.ts'
import { isRunning } from '../kit/system-processes.ts'

const test = suite('fleet')
const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const [first = '', second = ''] = createRoster(2).map(({ sn }) => sn)
let hub: LinkHub
let data: string
let fleet: FleetProcess | undefined

test.before.each(async () => {
  hub = await startLinkHub()
  data = mkdtempSync(join(tmpdir(), 'fleet-'))
})
test.after.each(async () => {
  await fleet?.kill('SIGTERM')
  fleet = undefined
  await hub.close()
  rmSync(data, { recursive: true })
})

async function start(count: number, clip?: Uint8Array): Promise<FleetProcess> {
  fleet = await startFleet(data, hub.port, count, clip)
  await until(() => hub.online().length === count, 'all links', 20_000)
  return fleet
}

const children = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

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
  await until(() => !hub.online().includes(first), 'the end of the link', 2000)
  await new Promise((resolve) => setTimeout(resolve, 700))
  assert.deepEqual(hub.online(), [second])
  assert.deepEqual(children(child.pid), [await pidOf(second)])
  await sendControlRequest(join(data, 'fleet'), { act: 'start', sn: first })
  await until(() => hub.online().includes(first), 'the link again')
})

test('the command line switches a device off and on and sets its behaviour', async () => {
  const { list } = await start(2)
  const control = (...args: string[]) =>
    run(process.execPath, [join(root, 'fleet/control.ts'), ...args], { env: { ...process.env, DATA: data } })
  assert.equal((await control('list')).stdout.trim().split('\n').length, 2)
  await control('stop', first)
  await until(() => !hub.online().includes(first), 'the end of the link')
  assert.equal((await list())[0]?.state, 'off')
  await control('start', first)
  await until(() => hub.online().includes(first), 'the link again')
  await control('tell', second, 'lie')
  const { json } = await hub.call(second, 'GET', '/usapi?method=get-status')
  assert.notEqual(json?.result, 0)
  for (const args of [[], ['explode'], ['stop', 'X000'], ['tell', second, 'dance'], ['tell', second]])
    await assert.rejects(control(...args), args.join(' '))
})

test('a device that is off stays off when the fleet restarts', async () => {
  const { folder } = await start(2)
  await sendControlRequest(folder, { act: 'stop', sn: second })
  await until(() => hub.online().length === 1)
  await fleet?.kill('SIGTERM')
  await until(() => hub.online().length === 0)
  fleet = await startFleet(data, hub.port, 2)
  await until(() => hub.online().includes(first), 'the first')
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.deepEqual(hub.online(), [first])
})

test('all device processes end when the supervisor is killed or terminated', async () => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const { child, kill } = await start(3)
    const pids = children(child.pid)
    assert.equal(pids.length, 3)
    await kill(signal)
    await until(() => !pids.some(isRunning), `the end of all devices after ${signal}`, 3000)
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
  // There is no listener: while ffmpeg waits for a response, it does not notice closed pipes.
  for (const sn of [first, second]) {
    assert.equal((await hub.call(sn, 'POST', '/link/push', { ...order, port: 9 })).json?.result, 0)
    const pid = await pidOf(sn)
    await until(() => children(pid).length === 1, 'ffmpeg')
    pusherPids.push(...children(pid))
  }
  process.kill(await pidOf(first), 'SIGKILL')
  await until(() => !isRunning(pusherPids[0] as number), 'the end of the first stream', 1500)
  child.kill('SIGKILL')
  await until(() => !isRunning(pusherPids[1] as number), 'the end of the second stream', 1500)
})

test('a fleet starts after one was killed in the same folder, but not while one is running there', async () => {
  await start(1)
  await fleet?.kill('SIGKILL')
  await until(() => hub.online().length === 0)
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
  await until(() => hub.online().length === 39)
  assert.ok(hub.online().includes(secondSerial))
  await sendControlRequest(join(data, 'fleet'), { act: 'start', sn: firstSerial })
  await until(() => hub.online().length === 40)
})

test('devices are selected by a share or all; an unknown selection is an error', async () => {
  const { list } = await start(3)
  const send = (act: 'list' | 'tell' | 'stop', sn: string, order?: string) =>
    sendControlRequest(join(data, 'fleet'), { act, sn, ...(order && { order }) })
  const selectedDevices = await send('tell', '67%', 'no-signal')
  assert.equal(selectedDevices.length, 2)
  await until(
    async () => (await list()).filter(({ behaviour }) => behaviour === 'no-signal').length === 2,
    'the behaviours are set'
  )
  await send('stop', first)
  assert.equal((await send('tell', 'all', 'normal')).length, 3, 'devices that are off are skipped')
  await assert.rejects(send('tell', first, 'normal'), /is off/)
  for (const selection of ['1000%', '-5%', 'B000']) await assert.rejects(send('list', selection), /no device has/)
})

test('a fleet without devices exits without output', async () => {
  const { stdout } = await run(process.execPath, [join(root, 'fleet/main.ts')], {
    env: { ...process.env, DATA: data, FLEET: '0' }
  })
  assert.equal(stdout, '')
})

test.run()
