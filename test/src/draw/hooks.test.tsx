import assert from 'node:assert/strict'
import { type ReactNode, useId, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { suite } from 'uvu'
import { atom } from '../../../src/draw/store.ts'
import { useStore } from '../../../src/ui/use-store.ts'
import { mount, unmount } from '../../kit/mount.ts'
import { drawn } from '../../kit/page.ts'
import { gatherStray } from './stray.ts'

const test = suite('hooks')

test('what is set in one go is drawn in one go, from what was set before', async () => {
  let count = 0
  let set: (next: number | ((last: number) => number)) => void = () => {}
  function Counter() {
    const [value, change] = useState(() => 1)
    set = change
    count++
    return value
  }
  const host = mount(<Counter />)
  set(5)
  set((last) => last + 1)
  assert.equal(host.textContent, '1')
  await drawn()
  assert.deepEqual([host.textContent, count], ['6', 2])
  set(6)
  await drawn()
  assert.equal(count, 2)
  unmount(host)
  set(7)
  await drawn()
  assert.equal(count, 2)
})

test('effects come when all is in the document, inner ones first, and are undone before the next and at the end', async () => {
  const log: string[] = []
  let set: (value: number) => void = () => {}
  function Part({ name, by, children }: { name: string; by: unknown; children?: ReactNode }) {
    useLayoutEffect(() => {
      log.push(`${name} ${document.querySelector('i')?.textContent}`)
      return () => void log.push(`${name} over`)
    }, [by])
    useLayoutEffect(() => void log.push(`${name} always`))
    return <p>{children}</p>
  }
  function Whole() {
    const [value, change] = useState(0)
    set = change
    return (
      <Part name="outer" by={value}>
        <Part name="inner" by="same" />
        <i>{value}</i>
      </Part>
    )
  }
  const host = mount(<Whole />)
  assert.deepEqual(log.splice(0), ['inner 0', 'inner always', 'outer 0', 'outer always'])
  set(1)
  await drawn()
  assert.deepEqual(log.splice(0), ['outer over', 'inner always', 'outer 1', 'outer always'])
  unmount(host)
  assert.deepEqual(log, ['outer over', 'inner over'])
})

test('what is set while it is drawn is drawn at once, and effects go by what is drawn in the end', () => {
  const log: unknown[] = []
  const seen: number[] = []
  function Doubled({ of }: { of: number }) {
    const [doubled, double] = useState(0)
    if (doubled !== of * 2) double(of * 2)
    seen.push(doubled)
    useLayoutEffect(() => void log.push(doubled), [doubled])
    return doubled
  }
  const host = mount(<Doubled of={4} />)
  assert.deepEqual([host.textContent, seen, log], ['8', [0, 8], [8]])
})

test('what an effect sets is drawn before anything else happens', async () => {
  function Measured() {
    const [width, set] = useState(0)
    useLayoutEffect(() => set(7), [])
    return width
  }
  const host = mount(<Measured />)
  assert.equal(host.textContent, '0')
  await Promise.resolve()
  assert.equal(host.textContent, '7')
})

test('outer components are drawn first, and inner ones with them, also when an effect asks in between', async () => {
  const log: string[] = []
  const $user = atom('')
  const $place = atom('login')
  function Outer() {
    const user = useStore($user)
    const place = useStore($place)
    log.push(`outer ${place}`)
    return place === 'login' ? <Login /> : `${user} at ${place}`
  }
  function Login() {
    const user = useStore($user)
    const place = useStore($place)
    log.push(`login ${place}`)
    useLayoutEffect(() => {
      if (user) $place.set('home')
    }, [user])
    return 'login'
  }
  const host = mount(<Outer />)
  log.length = 0
  $user.set('Ann')
  await drawn()
  assert.equal(host.textContent, 'Ann at home')
  assert.deepEqual(log, ['outer login', 'login login', 'outer home'])
})

test('a store that changes between drawing and effect is drawn as it is then', async () => {
  const $value = atom(1)
  function Early() {
    useLayoutEffect(() => $value.set(2), [])
    return null
  }
  const Shown = () => useStore($value)
  const host = mount([<Shown key="a" />, <Early key="b" />, <Shown key="c" />])
  await drawn()
  assert.equal(host.textContent, '22')
})

test('a store is listened to once, drawn only when it differs, and left at the end', async () => {
  let count = 0
  const listeners = new Set<() => void>()
  let value = 'a'
  const listen = (changed: () => void) => {
    listeners.add(changed)
    return () => listeners.delete(changed)
  }
  function Shown() {
    count++
    return useSyncExternalStore(listen as never, () => value)
  }
  const host = mount(<Shown />)
  const tell = async (next: string) => {
    value = next
    for (const listener of listeners) listener()
    await drawn()
  }
  await tell('a')
  assert.deepEqual([count, listeners.size], [1, 1])
  await tell('b')
  assert.deepEqual([count, listeners.size, host.textContent], [2, 1, 'b'])
  unmount(host)
  assert.equal(listeners.size, 0)
})

test('what is made is kept until it is made from something else, and an id is one of its own', () => {
  const made: unknown[] = []
  const ids: string[] = []
  function Maker({ of }: { of: number }) {
    ids.push(useId())
    made.push(useMemo(() => ({ of }), [of]))
    return null
  }
  const list = (of: number) => [<Maker key="a" of={of} />, <Maker key="b" of={1} />]
  let set: (of: number) => void = () => {}
  function Whole() {
    const [of, change] = useState(1)
    set = change
    return list(of)
  }
  mount(<Whole />)
  set(2)
  return drawn().then(() => {
    assert.equal(made[1], made[3])
    assert.notEqual(made[0], made[2])
    assert.deepEqual([ids[0], ids[1]], [ids[2], ids[3]])
    assert.notEqual(ids[0], ids[1])
  })
})

test('what one effect throws reaches the page, and the others act', async () => {
  const { thrown, end } = gatherStray()
  const log: string[] = []
  function Throws() {
    useLayoutEffect(() => {
      throw new Error('after')
    }, [])
    useLayoutEffect(() => {
      log.push('acts')
      return () => {
        throw new Error('over')
      }
    }, [])
    useLayoutEffect(() => () => void log.push('undone'), [])
    return 'text'
  }
  const host = mount(<Throws />)
  unmount(host)
  await drawn()
  assert.deepEqual(log, ['acts', 'undone'])
  assert.equal(String(thrown), 'Error: after,Error: over')
  assert.equal(host.textContent, '')
  end()
})

test.run()
