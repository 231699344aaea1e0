import assert from 'node:assert/strict'
import { useEffect, useState } from 'react'
import { suite } from 'uvu'
import { until } from '../until.ts'
import { mount } from './mount.ts'

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

test('a component renders, and renders again when its state changes', async () => {
  const button = mount(<Counter />).querySelector('button')
  assert.equal(button?.textContent, '0')
  button?.click()
  await until(() => button?.textContent === '1', 'the next count')
  await until(() => mounted === 1, 'the effect')
  location.hash = '#/somewhere'
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context
  document.cookie = 'lang=zh; path=/'
  localStorage.setItem('a', 'b')
  document.documentElement.setAttribute('data-theme', 'dark')
})

test('the next test has a new document', () => {
  assert.equal(mounted, 0)
  assert.equal(document.body.children.length, 0)
  assert.equal(location.hash, '')
  assert.equal(document.cookie, '')
  assert.equal(localStorage.length, 0)
  assert.equal(document.documentElement.hasAttribute('data-theme'), false)
})

test('window events reach listeners added with the global addEventListener', () => {
  let count = 0
  addEventListener('resize', () => count++)
  dispatchEvent(new Event('resize'))
  assert.equal(count, 1)
})

test('fetch and Response are those of Node, which the hub uses', async () => {
  assert.equal(await new Response('x').text(), 'x')
  assert.ok(new Response('x').body instanceof ReadableStream)
})

test.run()
