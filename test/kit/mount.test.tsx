import assert from 'node:assert/strict'
import { useEffect, useState } from 'react'
import { suite } from 'uvu'
import { mount } from './mount.ts'
import { until } from './until.ts'

const test = suite('mount')

let mounted = 0

function Counter() {
  const [count, setCount] = useState(0)
  useEffect(() => {
    mounted++
    return () => void mounted--
  }, [])
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count}
    </button>
  )
}

test('a component is drawn, and drawn again when its state changes', async () => {
  const button = mount(<Counter />).querySelector('button')
  assert.equal(button?.textContent, '0')
  button?.click()
  await until(() => button?.textContent === '1', 'the next number')
  await until(() => mounted === 1, 'the effect')
  location.hash = '#/somewhere'
  // biome-ignore lint/suspicious/noDocumentCookie: the only way that also an insecure page has
  document.cookie = 'lang=zh; path=/'
  localStorage.setItem('a', 'b')
  document.documentElement.setAttribute('data-theme', 'dark')
})

test('the next test finds a document as new', () => {
  assert.equal(mounted, 0)
  assert.equal(document.body.children.length, 0)
  assert.equal(location.hash, '')
  assert.equal(document.cookie, '')
  assert.equal(localStorage.length, 0)
  assert.equal(document.documentElement.hasAttribute('data-theme'), false)
})

test('events of the window reach listeners that name no window', () => {
  let heard = 0
  addEventListener('resize', () => heard++)
  dispatchEvent(new Event('resize'))
  assert.equal(heard, 1)
})

test('fetch and responses are those of Node, as the hub knows them', async () => {
  assert.equal(await new Response('x').text(), 'x')
  assert.ok(new Response('x').body instanceof ReadableStream)
})

test.run()
