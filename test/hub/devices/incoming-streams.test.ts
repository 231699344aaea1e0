import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { createIncomingStreams } from '../../../hub/devices/incoming-streams.ts'

const test = suite('incoming streams')

/** Channels by id, with their input and its observed state. Ids below 100 are those of devices. */
function createScene() {
  const rows = new Map<number, { id: number; enable: number; input_id: number | null; state: number; kbps: number }>()
  const reported: number[] = []
  const leg = (id: number) => {
    const { state = 0, kbps = 0 } = rows.get(id) ?? {}
    return {
      state: 2,
      connState: state,
      kbps,
      livingTimeS: 0,
      ...(state === 20 && { reason: 'device-silent' as const })
    }
  }
  const streams = createIncomingStreams({
    store: {
      channels: { all: () => [...rows.values()], byId: (id: number) => rows.get(id) },
      devices: { byId: (id: number) => (id < 100 ? { id } : undefined) }
    } as never,
    observe: (id) => ({ ...leg(id), input: leg(id), outputs: new Map() }),
    onDeviceChanged: (id) => reported.push(id)
  })
  return {
    streams,
    reported,
    set(id: number, input: number | null, state: number, enable = 1) {
      rows.set(id, { id, enable, input_id: input, state, kbps: 900 })
      streams.refreshChannel(id)
    },
    remove(id: number) {
      rows.delete(id)
      streams.refreshChannel(id)
    }
  }
}

test('the stream of a device is listed while an enabled channel has the device as an input', () => {
  const { streams, set } = createScene()
  assert.equal(streams.listByDevice(true)(7), undefined)
  set(1, 7, CONNECTION_STATE.connected, 0)
  assert.equal(streams.listByDevice(true)(7), undefined)
  set(1, 7, CONNECTION_STATE.connected)
  assert.deepEqual(streams.listByDevice(true)(7), { 'conn-state': CONNECTION_STATE.connected, kbps: 900 })
  assert.deepEqual(streams.listByDevice(false)(7), { 'conn-state': CONNECTION_STATE.connected })
  set(1, 7, CONNECTION_STATE.failed)
  assert.equal(streams.listByDevice(false)(7)?.reason, 'device-silent')
})

test('a device is reported when its stream starts, ends or changes state; other inputs are not reported', () => {
  const { reported, set, remove } = createScene()
  set(1, 7, CONNECTION_STATE.connecting)
  set(1, 7, CONNECTION_STATE.connecting)
  set(1, 7, CONNECTION_STATE.connected)
  assert.deepEqual(reported.splice(0), [7, 7])
  set(1, 8, CONNECTION_STATE.connected)
  assert.deepEqual(reported.splice(0), [7, 8], 'the previous and the new input')
  remove(1)
  assert.deepEqual(reported.splice(0), [8])
  set(2, 100, CONNECTION_STATE.connected)
  set(2, null, CONNECTION_STATE.waiting)
  assert.deepEqual(reported, [])
})

test.run()
