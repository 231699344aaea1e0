// An output that is edited keeps its port or key, and works again immediately.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, HTTP, RTSP, SRT } from '../../contract/stream/protocols.ts'
import type { WantedOutput } from '../../engine/interfaces/channel.ts'
import { createFixture } from '../kit/engine/engine-fixture.ts'
import { setUpMedia } from '../kit/engine/media.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'

const test = suite('edited outputs')
setUpMedia(test)

test('a listening output keeps its port or key when it is edited', async () => {
  const { engine, events, waitForState } = createFixture()
  const [rtsp, srt] = [await freeTcpPort(), await freeUdpPort()]
  const outputs = (max: number): WantedOutput[] => [
    { id: 3, name: 'RTSP', protocol: RTSP, config: { port: rtsp, key: 'k', 'max-client-num': max } },
    { id: 4, name: 'SRT', protocol: SRT, config: { mode: 'listener', 'bind-port': srt, 'max-client-num': max } },
    { id: 5, name: 'HLS', protocol: HTTP, config: { key: 'k', 'seg-count': max } }
  ]
  const input = { id: 10, name: 'Camera', kind: 'device', sn: 'A1' } as const
  for (let max = 3; max < 9; max++) {
    engine.apply({ id: 1, name: 'Stage', enable: true, input, outputs: outputs(max) })
    await waitForState(1, CONNECTION_STATE.waiting, 3)
    await waitForState(1, CONNECTION_STATE.waiting, 4)
    await waitForState(1, CONNECTION_STATE.connected, 5)
  }
  assert.deepEqual(
    events.filter(({ kind, reason }) => kind === 'output-down' && reason !== 'client-left'),
    []
  )
  engine.remove(1)
  await engine.close()
  assert.equal(engine.processCount(), 0)
  assert.equal(engine.hlsStores.size, 0)
})

test.run()
