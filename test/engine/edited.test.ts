// An output that is edited keeps its port or key, and is there again at once.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, HTTP, RTSP, SRT } from '../../contract/stream/protocols.ts'
import type { WantedOutput } from '../../engine/interfaces/channel.ts'
import { freeTcpPort, freeUdpPort } from '../kit/free-port.ts'
import { createBench } from './bench.ts'
import { mediaFor } from './media.ts'

const test = suite('edited outputs')
mediaFor(test)

test('what listens is edited without ever losing its port or its key', async () => {
  const bench = createBench()
  const [rtsp, srt] = [await freeTcpPort(), await freeUdpPort()]
  const outputs = (max: number): WantedOutput[] => [
    { id: 3, name: 'RTSP', protocol: RTSP, config: { port: rtsp, key: 'k', 'max-client-num': max } },
    { id: 4, name: 'SRT', protocol: SRT, config: { mode: 'listener', 'bind-port': srt, 'max-client-num': max } },
    { id: 5, name: 'HLS', protocol: HTTP, config: { key: 'k', 'seg-count': max } }
  ]
  const input = { id: 10, name: 'Camera', kind: 'device', sn: 'A1' } as const
  for (let max = 3; max < 9; max++) {
    bench.engine.apply({ id: 1, name: 'Stage', enable: true, input, outputs: outputs(max) })
    await bench.reaches(1, CONNECTION.waiting, 3)
    await bench.reaches(1, CONNECTION.waiting, 4)
    await bench.reaches(1, CONNECTION.connected, 5)
  }
  assert.deepEqual(
    bench.events.filter(({ kind, reason }) => kind === 'output-down' && reason !== 'client-left'),
    []
  )
  bench.engine.remove(1)
  await bench.engine.close()
  assert.equal(bench.engine.processes(), 0)
  assert.equal(bench.engine.shelves.size, 0)
})

test.run()
