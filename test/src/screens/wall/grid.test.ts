// The grid and the pages of the wall display.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { ChannelVerdict } from '../../../../contract/health.ts'
import type { Channel } from '../../../../contract/stream/channel.ts'
import { fitGrid, splitIntoPages, tilesPerPage } from '../../../../src/screens/wall/grid.ts'

const test = suite('grid of the wall display')

/** Areas for tiles on a screen of 1080 lines, on one of 2160 lines, on an upright one, and on a small one. */
const FULL_HD = [1896, 820] as const
const AREAS = [FULL_HD, [3816, 1900], [1056, 1650], [1342, 560]] as const

test('one channel has the whole screen, and more fill rows and columns without an empty one', () => {
  assert.deepEqual(fitGrid(1, ...FULL_HD), { columns: 1, rows: 1, font: 26, lines: 4 })
  for (const [width, height] of AREAS)
    for (const count of [1, 4, 9, 33, 100]) {
      const { columns, rows } = fitGrid(count, width, height)
      const title = `${count} on ${width} x ${height}: ${columns} x ${rows}`
      assert.ok(columns * rows >= count, title)
      assert.ok(columns * (rows - 1) < count, `${title}: no empty row`)
      assert.ok((columns - 1) * rows < count, `${title}: no empty column`)
    }
})

test('the grid follows the ratio of the screen', () => {
  for (const height of [740, 820, 1010]) assert.equal(fitGrid(4, 1896, height).columns, 2, `four on ${height} lines`)
  assert.deepEqual([fitGrid(9, 1896, 1010).columns, fitGrid(9, 1056, 1650).columns], [3, 2])
  assert.deepEqual([fitGrid(3, 1056, 1650).columns, fitGrid(3, 1056, 1650).rows], [1, 3])
  assert.deepEqual([fitGrid(4, 3000, 500).columns, fitGrid(4, 3000, 500).rows], [4, 1])
})

test('the text becomes smaller with the tiles, and less', () => {
  const grids = [1, 4, 33, 100].map((count) => fitGrid(count, ...FULL_HD))
  for (const [index, { font, lines }] of grids.entries()) {
    const { font: before = font, lines: linesBefore = lines } = grids[index - 1] ?? {}
    assert.ok(
      font <= before && lines <= linesBefore && font >= 12 && lines >= 1,
      `${index}: ${font} px, ${lines} lines`
    )
  }
  assert.equal(grids.at(-1)?.lines, 1)
})

test('a hundred channels are legible on one page of 1080 lines, and not on a small screen', () => {
  assert.ok(tilesPerPage(...FULL_HD) >= 100)
  assert.ok(tilesPerPage(1342, 560) < 100)
})

test('tiles stay legible as long as a page has room for them', () => {
  for (const [width, height] of AREAS) {
    const count = tilesPerPage(width, height)
    const { columns, rows } = fitGrid(count, width, height)
    assert.ok((width - 8 * (columns - 1)) / columns >= 120, `${count} on ${width} x ${height}: the width`)
    assert.ok((height - 8 * (rows - 1)) / rows >= 72, `${count} on ${width} x ${height}: the height`)
  }
})

/** Channels with these verdicts; the id is the place. */
const channelsWith = (verdicts: readonly ChannelVerdict[]) =>
  verdicts.map((verdict, id) => ({ id, name: `${id}`, health: { verdict } }) as Channel)
const idsOf = (pages: Channel[][]) => pages.map((page) => page.map(({ id }) => id))
const repeat = (verdict: ChannelVerdict, count: number) => Array.from({ length: count }, () => verdict)

test('channels that fit are one page', () => {
  assert.deepEqual(idsOf(splitIntoPages(channelsWith(repeat('on-air', 3)), 3)), [[0, 1, 2]])
  assert.deepEqual(splitIntoPages([], 3), [[]])
})

test('more are pages of equal size, and what is down is on each of them', () => {
  const channels = channelsWith([...repeat('down', 2), ...repeat('on-air', 8)])
  assert.deepEqual(idsOf(splitIntoPages(channels, 6)), [
    [0, 1, 2, 3, 4, 5],
    [0, 1, 6, 7, 8, 9]
  ])
  assert.deepEqual(
    splitIntoPages(channelsWith(repeat('on-air', 9)), 8).map((page) => page.length),
    [5, 4]
  )
})

test('if more is down than fits, everything that is down stays on each page, and the others still have their turn', () => {
  const pages = splitIntoPages(channelsWith([...repeat('down', 10), ...repeat('on-air', 4)]), 8)
  assert.equal(pages.length, 2)
  for (const page of pages) assert.equal(page.filter(({ health }) => health?.verdict === 'down').length, 10)
  assert.deepEqual(new Set(idsOf(pages).flat()).size, 14)
  assert.equal(splitIntoPages(channelsWith(repeat('down', 10)), 8).length, 1)
})

test.run()
