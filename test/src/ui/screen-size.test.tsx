import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { isAtMost, SCREEN_SIZES, useScreenSize } from '../../../src/ui/screen-size.ts'
import { mount } from '../../kit/console/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('screen size')

/** Sets the custom property as the media queries of the style sheet do. */
function setSize(size: string): void {
  document.documentElement.style.setProperty('--size', size)
}

function SizeText() {
  return <p>{useScreenSize()}</p>
}

test('the size class comes from the style sheet, also after the window was resized', async () => {
  setSize('md')
  const host = mount(<SizeText />)
  await until(() => host.textContent === 'md', 'md')
  for (const size of SCREEN_SIZES) {
    setSize(size)
    dispatchEvent(new Event('resize'))
    await until(() => host.textContent === size, size)
  }
})

test('resize events in a row are measured once', async () => {
  setSize('lg')
  const host = mount(<SizeText />)
  await until(() => host.textContent === 'lg', 'lg')
  let measurements = 0
  const real = globalThis.getComputedStyle
  globalThis.getComputedStyle = (element) => {
    measurements++
    return real(element)
  }
  setSize('xs')
  for (let index = 0; index < 50; index++) dispatchEvent(new Event('resize'))
  await until(() => host.textContent === 'xs', 'xs')
  globalThis.getComputedStyle = real
  assert.equal(measurements, 1)
})

test('without a style sheet the screen counts as large', async () => {
  setSize('')
  const host = mount(<SizeText />)
  dispatchEvent(new Event('resize'))
  await until(() => host.textContent === 'lg', 'lg')
})

test('sizes are compared from small to large', () => {
  assert.equal(isAtMost('sm', 'xxs'), true)
  assert.equal(isAtMost('sm', 'sm'), true)
  assert.equal(isAtMost('sm', 'md'), false)
})

test.run()
