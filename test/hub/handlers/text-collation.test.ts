import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { compareText } from '../../../hub/handlers/list.ts'
import { TextRanks } from '../../../hub/handlers/text-collation.ts'

const test = suite('text order')

const TEXTS = ['Room 10', 'room 9', 'Ärger', 'Zoo', '', 'Room 9', 'arger', '10.0.0.2', '10.0.0.10', '教室 2', '教室 10']

test('ranks are in natural order, and texts that compare as equal have the same rank', () => {
  const ranks = new TextRanks()
  ranks.add(TEXTS)
  for (const a of TEXTS)
    for (const b of TEXTS)
      assert.equal(Math.sign(ranks.rankOf(a) - ranks.rankOf(b)), Math.sign(compareText(a, b)), `${a} | ${b}`)
})

test('texts added later are ranked among the existing ones', () => {
  const ranks = new TextRanks()
  for (let count = 1; count <= TEXTS.length; count++) {
    const texts = TEXTS.slice(0, count)
    ranks.add(texts)
    const sorted = texts.toSorted((a, b) => ranks.rankOf(a) - ranks.rankOf(b))
    assert.deepEqual(sorted, texts.toSorted(compareText))
  }
})

test('texts no longer in use are removed eventually', () => {
  const ranks = new TextRanks()
  for (let round = 0; round < 5; round++) {
    const texts = Array.from({ length: 6000 }, (_, index) => `${round} ${index}`)
    ranks.setTexts(texts)
    assert.ok(texts.every((text, index) => ranks.rankOf(text) > ranks.rankOf(texts[index - 1] ?? '') || index === 0))
  }
  assert.equal(ranks.rankOf('0 1'), 0)
})

test.run()
