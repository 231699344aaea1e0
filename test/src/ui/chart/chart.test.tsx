import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { setLanguage } from '../../../../src/text/language.ts'
import { bitRate, megabits } from '../../../../src/text/numbers.ts'
import { Chart, niceAxis, type Series } from '../../../../src/ui/chart/chart.tsx'
import { mount } from '../../../kit/console/mount.ts'
import { until } from '../../../kit/until.ts'

const test = suite('chart')

test.before.each(() => setLanguage('en'))

const END = new Date(2026, 10, 21, 12, 0, 59).getTime()

function showChart(series: readonly Series[], format = megabits) {
  const host = mount(<Chart label="Bandwidth" series={series} count={60} interval={1000} end={END} format={format} />)
  const svg = host.querySelector('svg') as SVGSVGElement
  return {
    host,
    svg,
    legend: () => host.querySelector('.legend')?.textContent,
    press: (key: string) => svg.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }
}

const TWO: readonly Series[] = [
  { label: 'Receive', values: [1, 5, 3] },
  { label: 'Transmit', values: [0, 2, 2] }
]

test('an axis ends at a round number at or above the highest value', () => {
  const tops = [0, 0.3, 1, 7, 42, 84, 99.9, 100, 101, 2_400].map((highest) => niceAxis(highest).max)
  for (const [index, highest] of [0, 0.3, 1, 7, 42, 84, 99.9, 100, 101, 2_400].entries()) {
    const { max: top, ticks: steps } = niceAxis(highest)
    assert.ok(top >= highest && top > 0 && Number.isFinite(top), `${highest} -> ${top}`)
    assert.ok(steps.length >= 2 && steps.length <= 6, `${highest} -> ${steps}`)
    assert.equal(steps.at(-1), tops[index])
  }
  assert.deepEqual(niceAxis(84).ticks, [0, 25, 50, 75, 100])
})

test('an axis of a count has whole numbers only', () => {
  for (const highest of [0, 1, 3, 7, 9, 42])
    for (const tick of niceAxis(highest, true).ticks) assert.ok(Number.isInteger(tick), `${highest} -> ${tick}`)
  assert.deepEqual(niceAxis(1, true).ticks, [0, 1])
})

test('the description contains the current and the highest value', () => {
  const { svg, legend } = showChart(TWO)
  const described = svg.querySelector(`[id="${svg.getAttribute('aria-describedby')}"]`)?.textContent ?? ''
  assert.match(described, /Receive: 3 Mbps now, peak 5 Mbps. Transmit: 2 Mbps now, peak 2 Mbps/)
  assert.equal(svg.getAttribute('aria-label'), 'Bandwidth')
  assert.equal(legend(), 'Receive 3 MbpsTransmit 2 Mbps')
})

test('arrow keys select single values with their time, within the range of values', async () => {
  const { press, legend } = showChart(TWO)
  press('ArrowLeft')
  await until(() => legend() === 'Receive 3 MbpsTransmit 2 Mbps12:00:59', `the last (${legend()})`)
  press('ArrowLeft')
  await until(() => legend() === 'Receive 5 MbpsTransmit 2 Mbps12:00:58', 'the previous value')
  press('ArrowLeft')
  await until(() => legend() === 'Receive 1 MbpsTransmit 0 Mbps12:00:57', 'the first')
  press('ArrowLeft')
  press('ArrowRight')
  await until(() => legend()?.endsWith('12:00:58') === true, 'back')
})

test('the keys for pages select values further away, Home and End the first and the last', async () => {
  const { press, legend } = showChart([{ label: 'Receive', values: Array.from({ length: 60 }, (_, index) => index) }])
  for (const [key, value] of [
    ['Home', 0],
    ['PageDown', 6],
    ['PageDown', 12],
    ['PageUp', 6],
    ['End', 59],
    ['PageDown', 59]
  ] as const) {
    press(key)
    await until(() => legend()?.startsWith(`Receive ${value} Mbps12:`) === true, `${key}: ${value}, is ${legend()}`)
  }
})

test('a value that a finger selects stays when it is lifted', async () => {
  const { svg, legend } = showChart([{ label: 'Receive', values: Array.from({ length: 60 }, (_, index) => index) }])
  svg.getBoundingClientRect = () => new DOMRect(64, 0, 590, 260)
  const touch = (type: string) => {
    const event = new MouseEvent(type, { clientX: 64, bubbles: true })
    svg.dispatchEvent(Object.assign(event, { pointerType: 'touch' }))
  }
  touch('pointerdown')
  await until(() => legend()?.startsWith('Receive 0 Mbps12:00:00') === true, 'the first')
  touch('pointerleave')
  svg.dispatchEvent(new MouseEvent('pointermove', { clientX: 74, bubbles: true }))
  await until(() => legend()?.startsWith('Receive 1 Mbps12:00:01') === true, 'the second')
  touch('pointerleave')
  assert.match(legend() ?? '', /^Receive 1 Mbps12:00:01/)
})

test('the pointer selects the value below it until it leaves', async () => {
  const { svg, legend } = showChart([{ label: 'Receive', values: Array.from({ length: 60 }, (_, index) => index) }])
  svg.getBoundingClientRect = () => new DOMRect(64, 0, 590, 260)
  svg.dispatchEvent(new MouseEvent('pointermove', { clientX: 64, bubbles: true }))
  await until(() => legend()?.startsWith('Receive 0 Mbps12:00:00') === true, `the first (${legend()})`)
  svg.dispatchEvent(new MouseEvent('pointerleave'))
  await until(() => legend() === 'Receive 59 Mbps', 'the last')
})

test('a curve starts at its first value, and without values it is not drawn', () => {
  const { host } = showChart([
    { label: 'Receive', values: [1, 1] },
    { label: 'Transmit', values: [] }
  ])
  const curves = [...host.querySelectorAll('.curve')].map((path) => path.getAttribute('d') ?? '')
  assert.equal(curves.length, 1)
  assert.equal(curves[0]?.match(/[ML]/g)?.length, 2)
  assert.doesNotMatch(host.innerHTML, /NaN|undefined/)
})

test('without values the chart shows an axis and no number', () => {
  const { host, legend } = showChart([{ label: 'Receive', values: [] }])
  assert.equal(legend(), 'Receive –')
  assert.doesNotMatch(host.innerHTML, /NaN|undefined|Infinity/)
})

test('an axis of nothing but 0 labels only one end as 0', () => {
  const { host } = showChart([{ label: 'Bit rate', values: [0, 0] }], bitRate)
  const labels = [...host.querySelectorAll('small:first-of-type span')].map(({ textContent }) => textContent)
  assert.deepEqual(labels, ['0 kbps', ''])
})

test('a value that was not measured is a gap in the curve, and not a 0', async () => {
  const { host, svg, legend, press } = showChart([{ label: 'Receive', values: [5, 4, null, null, 3, null] }])
  const curve = host.querySelector('.curve')?.getAttribute('d') ?? ''
  assert.equal(curve, 'M54 -5L55 -4M58 -3h0')
  assert.equal(host.querySelector('.area')?.getAttribute('d'), 'M54 -5L55 -4V0H54ZM58 -3V0H58Z')
  assert.equal(legend(), 'Receive –')
  assert.match(svg.querySelector('desc')?.textContent ?? '', /Receive: – now, peak 5 Mbps/)
  press('ArrowLeft')
  await until(() => legend() === 'Receive –12:00:59', 'the last value')
  press('ArrowLeft')
  await until(() => legend()?.startsWith('Receive 3 Mbps') === true, 'the last measured value')
  press('ArrowLeft')
  await until(() => legend()?.startsWith('Receive –12:00:57') === true, 'the gap')
})

test.run()
