// Which pictures of faults are taken and kept, with an engine that sends pictures when the test says so.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Reason } from '../../../contract/stream/reason.ts'
import { IDLE_LEG, type ObservedChannel } from '../../../engine/interfaces/channel.ts'
import { FaultPictures } from '../../../hub/preview/fault-pictures.ts'

const test = suite('pictures of faults')

function create() {
  const reasons = new Map<number, Reason>()
  const previews = new Map<number, (jpeg: Uint8Array) => void>()
  const observe = (id: number): ObservedChannel => {
    const reason = reasons.get(id)
    return { ...IDLE_LEG, ...(reason && { reason }), input: IDLE_LEG, outputs: new Map() }
  }
  const pictures = new FaultPictures({
    engine: {
      observe,
      watchPreview(id, _, onImage) {
        previews.set(id, onImage)
        return () => previews.delete(id)
      }
    }
  })
  return {
    pictures,
    previews,
    set(id: number, reason?: Reason) {
      if (reason) reasons.set(id, reason)
      else reasons.delete(id)
      pictures.channelChanged(id)
    }
  }
}

test('a picture is taken once for each fault, and kept until the fault ends', () => {
  const { pictures, previews, set } = create()
  set(1, 'audio-lost')
  assert.equal(previews.size, 0, 'a lost track is no fault of the content')
  set(1, 'black')
  previews.get(1)?.(Uint8Array.of(1))
  assert.deepEqual(pictures.find(1), Uint8Array.of(1))
  set(1, 'black')
  assert.equal(previews.size, 0)
  set(1, 'unexpected-format 640x360')
  assert.equal(pictures.find(1), undefined, 'another fault has another picture')
  previews.get(1)?.(Uint8Array.of(2))
  assert.deepEqual(pictures.find(1), Uint8Array.of(2))
  set(1)
  assert.equal(pictures.find(1), undefined)
})

test('four pictures are taken at once, and 200 kept, when all channels turn black', () => {
  const { pictures, previews, set } = create()
  for (let id = 1; id <= 250; id++) set(id, 'black')
  let most = 0
  while (previews.size > 0) {
    most = Math.max(most, previews.size)
    for (const [, onImage] of [...previews]) onImage(Uint8Array.of(1))
  }
  assert.equal(most, 4)
  const kept = Array.from({ length: 250 }, (_, index) => pictures.find(index + 1)).filter(Boolean)
  assert.equal(kept.length, 200)
  pictures.close()
  assert.equal(pictures.find(1), undefined)
})

test('a picture of more than 100 kB is not kept, and one that does not come is given up when the fault ends', () => {
  const { pictures, previews, set } = create()
  set(1, 'frozen')
  previews.get(1)?.(new Uint8Array(100_001))
  assert.equal(pictures.find(1), undefined)
  set(2, 'frozen')
  assert.equal(previews.size, 1)
  set(2)
  assert.equal(previews.size, 0)
})

test.run()
