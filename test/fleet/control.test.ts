// Switching the demo devices off and on, and setting their behaviour.
import * as assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { sendControlRequest } from '../../fleet/process/control-socket.ts'
import { data, first, fleet, fleetForEach, hub, second, start } from '../kit/fleet/fleet-folder.ts'
import { until } from '../kit/until.ts'

const test = suite('fleet control')
const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
fleetForEach(test)

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
  await until(async () => (await list())[1]?.behaviour === 'lie', 'the behaviour is set')
  const { json } = await hub.call(second, 'GET', '/usapi?method=get-status')
  assert.notEqual(json?.result, 0)
  for (const args of [[], ['explode'], ['stop', 'X000'], ['tell', second, 'dance'], ['tell', second]])
    await assert.rejects(control(...args), args.join(' '))
})

test('a device that is off stays off when the fleet restarts', async () => {
  const { folder } = await start(2)
  await sendControlRequest(folder, { act: 'stop', sn: second })
  await until(() => hub.online().length === 1, 'the end of the link')
  await fleet?.kill('SIGTERM')
  await until(() => hub.online().length === 0, 'the end of all links')
  const { list } = await start(2, undefined, 1)
  assert.equal((await list())[1]?.state, 'off')
  assert.deepEqual(hub.online(), [first])
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

test.run()
