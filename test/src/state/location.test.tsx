import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { currentLink, navigate, setQuery, useHashLocation, useQuery } from '../../../src/state/location.ts'
import { mount } from '../../kit/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('location')

/** Sets the address as a user or a bookmark does. */
function type(hash: string): void {
  history.replaceState(null, '', hash)
  dispatchEvent(new Event('hashchange'))
}

function Places() {
  const [path] = useHashLocation()
  const query = useQuery()
  return (
    <p>
      {path} {[...query].map(([name, value]) => `${name}=${value}`).join(' ')}
    </p>
  )
}

function show() {
  const host = mount(<Places />)
  return {
    host,
    shows: (text: string) => until(() => host.textContent?.trim() === text, `${text} (${host.textContent})`)
  }
}

test('the query is inside the hash, and the path is matched without it', async () => {
  type('#/login?return_url=%2Fdevices%2Fall%3Fview%3Dview')
  const { shows } = show()
  await shows('/login return_url=/devices/all?view=view')
})

test('the leading slash and the hash itself may be missing', async () => {
  type('#devices/all?key=a')
  assert.equal(currentLink(), '/devices/all?key=a')
  const { shows } = show()
  await shows('/devices/all key=a')
  type('/')
  await shows('/')
})

test('values are decoded once', async () => {
  type(`#/devices/all?${new URLSearchParams({ key: '%25 ü&=?#/' })}`)
  const { shows } = show()
  await shows('/devices/all key=%25 ü&=?#/')
})

test('going somewhere changes the hash alone and adds to the history', async () => {
  const { shows } = show()
  const before = history.length
  navigate('/devices/all?view=view')
  await shows('/devices/all view=view')
  assert.equal(location.hash, '#/devices/all?view=view')
  assert.equal(location.search, '')
  assert.equal(history.length, before + 1)
  navigate('/login', { replace: true })
  await shows('/login')
  assert.equal(history.length, before + 1)
})

test('a value of the query is set and removed where one is', async () => {
  type('#/devices/all?view=view&key=a')
  const { shows } = show()
  const before = history.length
  setQuery({ key: 'b c', view: undefined })
  await shows('/devices/all key=b c')
  setQuery({ key: '' })
  await shows('/devices/all')
  assert.equal(location.hash, '#/devices/all')
  assert.equal(history.length, before)
  setQuery({ view: 'view' }, false)
  assert.equal(history.length, before + 1)
})

test('a path that looks like another origin stays in the hash', () => {
  navigate('//evil.test/')
  assert.equal(location.host, 'hub.test')
  assert.equal(location.hash, '#//evil.test/')
})

test.run()
