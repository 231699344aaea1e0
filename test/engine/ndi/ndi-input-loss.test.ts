// NDI inputs with a fake runtime whose source disappears again and again.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { createFixture, type EngineFixture } from '../../kit/engine/engine-fixture.ts'
import { cleanUpMedia } from '../../kit/engine/media.ts'
import { ownTime } from '../../kit/own-time.ts'
import { until } from '../../kit/until.ts'
import { createFakeNdi, type FakeNdi } from './fake-ndi.ts'

const test = suite('NDI input whose source disappears')
const NAME = 'STUDIO (Cam 1)'
/**
 * Milliseconds from the loss of a source until it is searched for: the shortest pause of 500 ms, and the start of a
 * process.
 */
const PAUSE_MAX = 1500

let fixture: EngineFixture
let fakeNdi: FakeNdi
test.before(() => {
  fakeNdi = createFakeNdi('libndi.so.6')
  fixture = createFixture({ ndi: { folders: [fakeNdi.folder] } })
})
test.after(async () => {
  await fixture.engine.close()
  fakeNdi.remove()
  cleanUpMedia()
})

const count = (prefix: string) => fakeNdi.readLog().filter((line) => line.startsWith(prefix)).length

test('a source that disappears three times within seconds is searched for soon each time, without waiting for the runtime', async () => {
  const input = { id: 2, name: 'In', kind: 'ndi', source: { name: NAME } } as const
  fixture.engine.apply({ id: 1, name: 'Stage', enable: true, input, outputs: [] })
  for (const round of [1, 2, 3]) {
    fakeNdi.announce([NAME, '127.0.0.1:5961'])
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    fakeNdi.announce()
    await fixture.waitForState(1, CONNECTION_STATE.disconnected)
    const pause = await ownTime(() => until(() => count('receive STUDIO') === round + 1, 'there is another receiver'))
    assert.ok(pause < PAUSE_MAX, `${pause} ms after loss ${round}`)
  }
  assert.equal(count('receive end'), 0, 'the runtime was not asked to end the receivers')
})

test.run()
