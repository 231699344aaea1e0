import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SIZES, upTo, useSize } from '../../../src/ui/size.ts'
import { mount } from '../../kit/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('size')

/** What the style sheet's media queries do. */
function become(size: string): void {
  document.documentElement.style.setProperty('--size', size)
}

function Shown() {
  return <p>{useSize()}</p>
}

test('the size class is what the style sheet says, also after the window changed', async () => {
  become('md')
  const host = mount(<Shown />)
  await until(() => host.textContent === 'md', 'md')
  for (const size of SIZES) {
    become(size)
    dispatchEvent(new Event('resize'))
    await until(() => host.textContent === size, size)
  }
})

test('many changes of the window in a row are looked at once', async () => {
  become('lg')
  const host = mount(<Shown />)
  await until(() => host.textContent === 'lg', 'lg')
  let looks = 0
  const real = globalThis.getComputedStyle
  globalThis.getComputedStyle = (element) => {
    looks++
    return real(element)
  }
  become('xs')
  for (let index = 0; index < 50; index++) dispatchEvent(new Event('resize'))
  await until(() => host.textContent === 'xs', 'xs')
  globalThis.getComputedStyle = real
  assert.equal(looks, 1)
})

test('without a style sheet the screen is taken for a large one', async () => {
  become('')
  const host = mount(<Shown />)
  dispatchEvent(new Event('resize'))
  await until(() => host.textContent === 'lg', 'lg')
})

test('sizes are compared from small to large', () => {
  assert.equal(upTo('sm', 'xxs'), true)
  assert.equal(upTo('sm', 'sm'), true)
  assert.equal(upTo('sm', 'md'), false)
})

test.run()
