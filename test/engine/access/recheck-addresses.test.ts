// The address policy changes while streams run.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, HTTP, UDP } from '../../../contract/stream/protocols.ts'
import { createFixture } from '../../kit/engine/engine-fixture.ts'
import { setUpMedia, startReceiver } from '../../kit/engine/media.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'

const test = suite('recheck addresses')
setUpMedia(test)

test('an output to an address that becomes forbidden is stopped with a reason, the others continue, and it returns when allowed', async () => {
  let forbidPrivate = false
  const fixture = createFixture({ forbidPrivate: () => forbidPrivate })
  const port = await freeUdpPort()
  startReceiver(`udp://127.0.0.1:${port}`)
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'device', sn: 'A1' },
    outputs: [
      { id: 3, name: 'Out', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': port } },
      { id: 4, name: 'Web', protocol: HTTP, config: { key: 'k' } }
    ]
  })
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 4)
  const before = fixture.engine.byteTotals(1).outputs.get(4) ?? 0
  forbidPrivate = true
  fixture.engine.recheckAddresses()
  await fixture.waitForState(1, CONNECTION_STATE.creationFailed, 3)
  assert.equal(fixture.engine.observe(1).outputs.get(3)?.reason, 'forbidden')
  assert.equal(fixture.engine.observe(1).connState, CONNECTION_STATE.connected)
  assert.ok((fixture.engine.byteTotals(1).outputs.get(4) ?? 0) >= before)
  forbidPrivate = false
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  await fixture.engine.close()
})

test.run()
