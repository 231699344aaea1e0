import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { PortProbe } from '../../../engine/srt/port-probe.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'

const test = suite('probe of an SRT port')

test('a port is closed for the given time, until a program at it has answered', async () => {
  const port = await freeUdpPort()
  const probe = new PortProbe()
  const findClosed = (now: number) =>
    new Promise<void>((resolve) => {
      probe.probe('127.0.0.1', port, now, resolve)
    })
  await findClosed(1000)
  assert.deepEqual([probe.wasClosed(5999, 5000), probe.wasClosed(6000, 5000)], [true, false])
  // The receiver that has just started, and then stops, is silent: nobody has closed its port.
  probe.noteOpen(1500)
  assert.ok(!probe.wasClosed(2000, 5000))
  await findClosed(3000)
  assert.ok(probe.wasClosed(4000, 5000))
})

test.run()
