import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { Window } from 'happy-dom'
import { render } from 'preact'
import { suite } from 'uvu'
import { PreviewImage, type PreviewImageProps } from '../../../src/preview/preview-image.tsx'
import type { PreviewItem } from '../../../src/preview/previews.ts'
import { until as waitUntil } from '../../kit/until.ts'

const test = suite('preview image')

type Listener = (item: PreviewItem | undefined) => void
/** Replaces the browser's IntersectionObserver: the test decides which elements are on screen. */
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
const previews: PreviewImageProps['previews'] = {
  subscribe(id, onImage) {
    const theirs = listeners.get(id) ?? new Set()
    listeners.set(id, theirs.add(onImage))
    return () => void theirs.delete(onImage)
  }
}
const subscriberCount = (id: string) => listeners.get(id)?.size ?? 0
const sendImage = (id: string, url: string, age = 0, interval = 2000) => {
  const item = { id, url, contentType: 'image/jpeg', blob: new Blob(), createTime: Date.now() - age, interval }
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

const until = (condition: () => boolean) => waitUntil(condition, String(condition))

/** Stops the clock. @returns a function that starts it again */
function stopClock(): () => void {
  const { now } = Date
  const stoppedAt = now()
  Date.now = () => stoppedAt
  return () => {
    Date.now = now
  }
}

// The sources use the types of React; the build replaces React by Preact.
const renderImage = (props: PreviewImageProps) => render((<PreviewImage {...props} />) as never, host)

async function mount(props: Partial<PreviewImageProps> = {}) {
  renderImage({ previews, id: 'A', alt: 'Camera', ...props })
  await until(() => Observer.all.size > 0)
}

const setOnScreen = (isIntersecting: boolean) => {
  for (const observer of Observer.all) observer.notice([{ isIntersecting }])
}
const imageUrl = () => host.querySelector('img')?.getAttribute('src')
const isStale = () => host.querySelector('.picture')?.hasAttribute('data-stale')

test('images are subscribed to only while the element is on screen, and the last one stays', async () => {
  await mount()
  assert.equal(subscriberCount('A'), 0)
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  assert.equal(host.querySelector('img'), null)
  sendImage('A', 'blob:1')
  await until(() => imageUrl() === 'blob:1')
  assert.equal(host.querySelector('img')?.getAttribute('alt'), 'Camera')
  sendImage('A', 'blob:2')
  await until(() => imageUrl() === 'blob:2')
  setOnScreen(false)
  await until(() => subscriberCount('A') === 0)
  assert.equal(imageUrl(), 'blob:2')
})

const tag = () => host.querySelector('.picture-tag')?.textContent

test('an image is stale when it is more than 3 s older than its announced interval, and says its age', async () => {
  await mount()
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  sendImage('A', 'blob:1', 12_000, 10_000)
  await until(() => imageUrl() === 'blob:1')
  assert.deepEqual([isStale(), tag()], [false, undefined], 'key frames are 10 s apart')
  sendImage('A', 'blob:2', 12_000, 500)
  await until(() => imageUrl() === 'blob:2')
  assert.deepEqual([isStale(), tag()], [true, 'Last picture 12 s ago'])
})

test('an image with a source says it and its age', async () => {
  await mount({ source: 'Backup 1' })
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  const startClock = stopClock()
  try {
    sendImage('A', 'blob:1', 400)
    await until(() => imageUrl() === 'blob:1')
    assert.equal(tag(), 'Backup 1 · picture 0.4 s ago')
  } finally {
    startClock()
  }
})

test('an image older than 5 s is marked as stale until the next one', async () => {
  await mount()
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  const startClock = stopClock()
  try {
    sendImage('A', 'blob:old', 4500)
    await until(() => imageUrl() === 'blob:old')
    assert.equal(isStale(), false)
  } finally {
    startClock()
  }
  await until(() => isStale() === true)
  sendImage('A', 'blob:new')
  await until(() => isStale() === false)
})

test('an image that became stale off screen is marked as soon as it is on screen', async () => {
  await mount()
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  sendImage('A', 'blob:1', 60_000)
  await until(() => isStale() === true)
  sendImage('A', 'blob:2')
  await until(() => isStale() === false)
  setOnScreen(false)
  await until(() => subscriberCount('A') === 0)
  const { now } = Date
  Date.now = () => now() + 6000
  // No timer runs out.
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  try {
    setOnScreen(true)
    await until(() => isStale() === true)
  } finally {
    mock.timers.reset()
    Date.now = now
  }
})

test('an element that changes to another device removes the image of the first', async () => {
  await mount()
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  sendImage('A', 'blob:1')
  await until(() => imageUrl() === 'blob:1')
  await mount({ id: 'B' })
  await until(() => subscriberCount('B') === 1)
  assert.equal(subscriberCount('A'), 0)
  assert.equal(imageUrl(), undefined)
})

test('removed images disappear', async () => {
  await mount()
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  sendImage('A', 'blob:1')
  await until(() => imageUrl() === 'blob:1')
  for (const listener of listeners.get('A') ?? []) listener(undefined)
  await until(() => imageUrl() === undefined)
})

test('in a browser without IntersectionObserver, images are always subscribed to', async () => {
  Reflect.deleteProperty(globalThis, 'IntersectionObserver')
  renderImage({ previews, id: 'A', alt: '' })
  await until(() => subscriberCount('A') === 1)
})

test('an element that is unmounted ends its subscription', async () => {
  await mount()
  setOnScreen(true)
  await until(() => subscriberCount('A') === 1)
  render(null, host)
  await until(() => subscriberCount('A') === 0)
  assert.equal(Observer.all.size, 0)
})

test.run()
