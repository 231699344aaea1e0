import assert from 'node:assert/strict'
import { Window } from 'happy-dom'
import { render } from 'preact'
import { suite } from 'uvu'
import { Picture, type PictureProps } from '../../../src/preview/preview-image.tsx'
import type { PreviewItem } from '../../../src/preview/previews.ts'

const test = suite('picture')

type Listener = (item: PreviewItem | undefined) => void
/** Takes the place of the platform's: it tells what it is told to tell. */
class Observer {
  static all = new Set<Observer>()
  readonly notice: (entries: { isIntersecting: boolean }[]) => void
  constructor(notice: (entries: { isIntersecting: boolean }[]) => void) {
    this.notice = notice
    Observer.all.add(this)
  }
  observe() {}
  disconnect() {
    Observer.all.delete(this)
  }
}

const listeners = new Map<string, Set<Listener>>()
const previews: PictureProps['previews'] = {
  subscribe(id, onImage) {
    const theirs = listeners.get(id) ?? new Set()
    listeners.set(id, theirs.add(onImage))
    return () => void theirs.delete(onImage)
  }
}
const wanted = (id: string) => listeners.get(id)?.size ?? 0
const show = (id: string, url: string, age = 0) => {
  const item = { id, url, contentType: 'image/jpeg', blob: new Blob(), createTime: Date.now() - age }
  for (const listener of listeners.get(id) ?? []) listener(item)
}

const before = { ...globals() }
let host: Element

function globals() {
  const { window, document, IntersectionObserver } = globalThis
  return { window, document, IntersectionObserver }
}

test.before.each(() => {
  const window = new Window()
  Object.assign(globalThis, { window, document: window.document, IntersectionObserver: Observer })
  listeners.clear()
  Observer.all.clear()
  host = document.createElement('div')
  document.body.append(host)
})

test.after.each(() => {
  render(null, host)
  Object.assign(globalThis, before)
})

/** Waits until something is so, for 5 s at most. */
async function until(condition: () => boolean) {
  const end = Date.now() + 5000
  while (!condition()) {
    assert.ok(Date.now() < end, `waited in vain until ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

// The sources are typed as React, which the build maps to Preact.
const draw = (props: PictureProps) => render((<Picture {...props} />) as never, host)

async function mount(props: Partial<PictureProps> = {}) {
  draw({ previews, id: 'A', alt: 'Camera', ...props })
  await until(() => Observer.all.size > 0)
}

const see = (isIntersecting: boolean) => {
  for (const observer of Observer.all) observer.notice([{ isIntersecting }])
}
const source = () => host.querySelector('img')?.getAttribute('src')
const stale = () => host.querySelector('.picture')?.hasAttribute('data-stale')

test('pictures are wanted only while the frame is on screen, and the last one stays', async () => {
  await mount()
  assert.equal(wanted('A'), 0)
  see(true)
  await until(() => wanted('A') === 1)
  assert.equal(host.querySelector('img'), null)
  show('A', 'blob:1')
  await until(() => source() === 'blob:1')
  assert.equal(host.querySelector('img')?.getAttribute('alt'), 'Camera')
  show('A', 'blob:2')
  await until(() => source() === 'blob:2')
  see(false)
  await until(() => wanted('A') === 0)
  assert.equal(source(), 'blob:2')
})

test('a picture older than 5 s is marked until a new one comes', async () => {
  await mount()
  see(true)
  await until(() => wanted('A') === 1)
  show('A', 'blob:old', 4500)
  await until(() => source() === 'blob:old')
  assert.equal(stale(), false)
  await until(() => stale() === true)
  show('A', 'blob:new')
  await until(() => stale() === false)
})

test('a picture that grew old off screen is marked as soon as it is back', async () => {
  await mount()
  see(true)
  await until(() => wanted('A') === 1)
  show('A', 'blob:1', 60_000)
  await until(() => stale() === true)
  show('A', 'blob:2', 4990)
  await until(() => stale() === false)
  see(false)
  await until(() => wanted('A') === 0)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const back = Date.now()
  see(true)
  await until(() => stale() === true)
  assert.ok(Date.now() - back < 900)
})

test('a frame that comes to show another device drops the picture of the first', async () => {
  await mount()
  see(true)
  await until(() => wanted('A') === 1)
  show('A', 'blob:1')
  await until(() => source() === 'blob:1')
  await mount({ id: 'B' })
  await until(() => wanted('B') === 1)
  assert.equal(wanted('A'), 0)
  assert.equal(source(), undefined)
})

test('cleared pictures disappear', async () => {
  await mount()
  see(true)
  await until(() => wanted('A') === 1)
  show('A', 'blob:1')
  await until(() => source() === 'blob:1')
  for (const listener of listeners.get('A') ?? []) listener(undefined)
  await until(() => source() === undefined)
})

test('where the platform cannot tell what is on screen, pictures are always wanted', async () => {
  Reflect.deleteProperty(globalThis, 'IntersectionObserver')
  draw({ previews, id: 'A', alt: '' })
  await until(() => wanted('A') === 1)
})

test('a frame that is removed wants nothing', async () => {
  await mount()
  see(true)
  await until(() => wanted('A') === 1)
  render(null, host)
  await until(() => wanted('A') === 0)
  assert.equal(Observer.all.size, 0)
})

test.run()
