import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION } from '../../../contract/stream/protocols.ts'
import { createArriving } from '../../../hub/devices/incoming-streams.ts'

const test = suite('arriving')

/** Channels by id, with their input and what is observed of it; devices have ids below 100. */
function world() {
  const rows = new Map<number, { id: number; enable: number; input_id: number | null; state: number; kbps: number }>()
  const told: number[] = []
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
  const arriving = createArriving({
    store: {
      channels: { all: () => [...rows.values()], byId: (id: number) => rows.get(id) },
      devices: { byId: (id: number) => (id < 100 ? { id } : undefined) }
    } as never,
    observe: (id) => ({ ...leg(id), input: leg(id), outputs: new Map() }),
    changed: (id) => told.push(id)
  })
  return {
    arriving,
    told,
    set(id: number, input: number | null, state: number, enable = 1) {
      rows.set(id, { id, enable, input_id: input, state, kbps: 900 })
      arriving.look(id)
    },
    remove(id: number) {
      rows.delete(id)
      arriving.look(id)
    }
  }
}

test('the stream of a device is told while a channel that runs has it as input', () => {
  const { arriving, set } = world()
  assert.equal(arriving.all(true)(7), undefined)
  set(1, 7, CONNECTION.connected, 0)
  assert.equal(arriving.all(true)(7), undefined)
  set(1, 7, CONNECTION.connected)
  assert.deepEqual(arriving.all(true)(7), { 'conn-state': CONNECTION.connected, kbps: 900 })
  assert.deepEqual(arriving.all(false)(7), { 'conn-state': CONNECTION.connected })
  set(1, 7, CONNECTION.failed)
  assert.equal(arriving.all(false)(7)?.reason, 'device-silent')
})

test('a list is told when the state is another one, and when the stream begins and ends, and of no source', () => {
  const { told, set, remove } = world()
  set(1, 7, CONNECTION.connecting)
  set(1, 7, CONNECTION.connecting)
  set(1, 7, CONNECTION.connected)
  assert.deepEqual(told.splice(0), [7, 7])
  set(1, 8, CONNECTION.connected)
  assert.deepEqual(told.splice(0), [7, 8], 'the one it was, and the one it is')
  remove(1)
  assert.deepEqual(told.splice(0), [8])
  set(2, 100, CONNECTION.connected)
  set(2, null, CONNECTION.waiting)
  assert.deepEqual(told, [])
})

test.run()
