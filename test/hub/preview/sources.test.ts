import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createSources } from '../../../hub/preview/sources.ts'

const test = suite('preview sources')

/** Waits until something is so, for 5 s at most. */
async function until(condition: () => boolean) {
  const end = Date.now() + 5000
  while (!condition()) {
    assert.ok(Date.now() < end, `waited in vain until ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

test('where there was nobody to ask, it is asked again until there is somebody', async () => {
  const asked: string[] = []
  const seen: string[] = []
  let there = false
  const sources = createSources(
    (id, onPicture) => {
      asked.push(id)
      if (!there) return undefined
      onPicture(new Uint8Array(1))
      return () => asked.push(`end ${id}`)
    },
    Date.now,
    1
  )
  const taker = (id: string) => void seen.push(id)
  sources.join('A', taker)
  await until(() => asked.length > 3)
  there = true
  await until(() => seen.length > 0)
  assert.deepEqual(seen, ['A'])
  sources.leave('A', taker)
  assert.equal(asked.at(-1), 'end A')
})

test('nobody is looked for once nobody wants the pictures', async () => {
  let asked = 0
  const sources = createSources(() => void asked++ as undefined, Date.now, 1)
  const taker = () => {}
  sources.join('A', taker)
  await until(() => asked > 2)
  sources.leave('A', taker)
  const before = asked
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(asked, before)
})

test('a picture that comes within the asking reaches the taker', () => {
  const seen: string[] = []
  const sources = createSources((_id, onPicture) => {
    onPicture(new Uint8Array(Buffer.from('at once')))
    return () => {}
  }, Date.now)
  sources.join('A', (id, jpeg) => seen.push(`${id} ${Buffer.from(jpeg)}`))
  assert.deepEqual(seen, ['A at once'])
})

test('pictures that come after the last one left reach nobody', () => {
  const seen: string[] = []
  let send = (_jpeg: Uint8Array) => {}
  const sources = createSources((_id, onPicture) => {
    send = onPicture
    return () => {}
  }, Date.now)
  const taker = (id: string) => void seen.push(id)
  sources.join('A', taker)
  const late = send
  sources.leave('A', taker)
  late(new Uint8Array(1))
  sources.join('A', taker)
  late(new Uint8Array(1))
  assert.deepEqual(seen, [])
})

test.run()
