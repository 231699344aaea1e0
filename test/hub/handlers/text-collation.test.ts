import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { byText } from '../../../hub/handlers/list.ts'
import { createTextOrder } from '../../../hub/handlers/text-collation.ts'

const test = suite('text order')

const TEXTS = ['Room 10', 'room 9', 'Ärger', 'Zoo', '', 'Room 9', 'arger', '10.0.0.2', '10.0.0.10', '教室 2', '教室 10']

test('places are in the order in which people sort, and the same for what is the same to them', () => {
  const { add, placeOf: place } = createTextOrder()
  add(TEXTS)
  for (const a of TEXTS)
    for (const b of TEXTS) assert.equal(Math.sign(place(a) - place(b)), Math.sign(byText(a, b)), `${a} | ${b}`)
})

test('texts that come later find their places among those that were there', () => {
  const order = createTextOrder()
  for (let count = 1; count <= TEXTS.length; count++) {
    const some = TEXTS.slice(0, count)
    order.add(some)
    const sorted = some.toSorted((a, b) => order.placeOf(a) - order.placeOf(b))
    assert.deepEqual(sorted, some.toSorted(byText))
  }
})

test('texts that nobody has any more are forgotten, sooner or later', () => {
  const order = createTextOrder()
  for (let round = 0; round < 5; round++) {
    const texts = Array.from({ length: 6000 }, (_, index) => `${round} ${index}`)
    order.all(texts)
    assert.ok(texts.every((text, index) => order.placeOf(text) > order.placeOf(texts[index - 1] ?? '') || index === 0))
  }
  assert.equal(order.placeOf('0 1'), 0)
})

test.run()
