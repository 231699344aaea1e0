// Where streams may go is decided anew while they run.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, HTTP, UDP } from '../../../contract/stream/protocols.ts'
import { freeUdpPort } from '../../kit/free-port.ts'
import { createBench } from '../bench.ts'
import { mediaFor, receive } from '../media.ts'

const test = suite('judge anew')
mediaFor(test)

test('what now leads where it may not is ended and says why; the others carry on, and it comes back', async () => {
  let forbids = false
  const bench = createBench({ forbidPrivate: () => forbids })
  const port = await freeUdpPort()
  receive(`udp://127.0.0.1:${port}`)
  bench.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [
      { id: 3, name: 'Out', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': port } },
      { id: 4, name: 'Web', protocol: HTTP, config: { key: 'k' } }
    ]
  })
  await bench.reaches(1, CONNECTION.connected, 3)
  await bench.reaches(1, CONNECTION.connected, 4)
  const before = bench.engine.counted(1).outputs.get(4) ?? 0
  forbids = true
  bench.engine.judgeAnew()
  await bench.reaches(1, CONNECTION.creationFailed, 3)
  assert.equal(bench.engine.observe(1).outputs.get(3)?.reason, 'forbidden')
  assert.equal(bench.engine.observe(1).connState, CONNECTION.connected)
  assert.ok((bench.engine.counted(1).outputs.get(4) ?? 0) >= before)
  forbids = false
  await bench.reaches(1, CONNECTION.connected, 3)
  await bench.engine.close()
})

test.run()
