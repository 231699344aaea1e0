import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { Link, Route, Router, Switch, useLocation } from 'wouter'
import { currentLink, navigate, setQuery, useHashLocation, useQuery } from '../../../src/state/location.ts'
import { mount } from '../../kit/console/mount.ts'
import { until } from '../../kit/until.ts'

const test = suite('location')

/** Sets the address like a user or a bookmark. */
function setAddress(hash: string): void {
  history.replaceState(null, '', hash)
  dispatchEvent(new Event('hashchange'))
}

function CurrentLocation() {
  const [path] = useLocation()
  const query = useQuery()
  return (
    <p>
      {path} {[...query].map(([name, value]) => `${name}=${value}`).join(' ')}
    </p>
  )
}

function showLocation() {
  const host = mount(
    <Router hook={useHashLocation}>
      <CurrentLocation />
      <Switch>
        <Route path="/login">login page</Route>
        <Route path="/devices/all">devices page</Route>
        <Route>nothing here</Route>
      </Switch>
      <Link href="/devices/all?view=view">to the devices</Link>
    </Router>
  )
  return {
    host,
    shows: (text: string) => until(() => host.textContent?.startsWith(text), `${text} (${host.textContent})`)
  }
}

test('the query is inside the hash, and the path is matched without it', async () => {
  setAddress('#/login?return_url=%2Fdevices%2Fall%3Fview%3Dview')
  const { shows } = showLocation()
  await shows('/login return_url=/devices/all?view=viewlogin page')
})

test('the leading slash and the hash may be missing', async () => {
  setAddress('#devices/all?key=a')
  assert.equal(currentLink(), '/devices/all?key=a')
  const { shows } = showLocation()
  await shows('/devices/all key=adevices page')
  setAddress('/')
  await shows('/ nothing here')
})

test('values are decoded once', async () => {
  setAddress(`#/devices/all?${new URLSearchParams({ key: '%25 ü&=?#/' })}`)
  const { shows } = showLocation()
  await shows('/devices/all key=%25 ü&=?#/devices page')
})

test('navigating changes the hash only and adds a history entry', async () => {
  const { shows } = showLocation()
  const before = history.length
  navigate('/devices/all?view=view')
  await shows('/devices/all view=viewdevices page')
  assert.equal(location.hash, '#/devices/all?view=view')
  assert.equal(location.search, '')
  assert.equal(history.length, before + 1)
  navigate('/login', { replace: true })
  await shows('/login login page')
  assert.equal(history.length, before + 1)
})

test('a link of wouter points to the hash and navigates there', async () => {
  const { host, shows } = showLocation()
  const anchor = host.querySelector('a')
  assert.equal(anchor?.getAttribute('href'), '#/devices/all?view=view')
  anchor?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, button: 0 }))
  await shows('/devices/all view=viewdevices page')
})

test('query values are set and removed on the current path', async () => {
  setAddress('#/devices/all?view=view&key=a')
  const { shows } = showLocation()
  const before = history.length
  setQuery({ key: 'b c', view: undefined })
  await shows('/devices/all key=b cdevices page')
  setQuery({ key: '' })
  await shows('/devices/all devices page')
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
