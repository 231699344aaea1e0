// The inline script of the built page, run with stand-ins for the browser's objects.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import { CHUNK_TIMEOUT, THEME_KEY } from '../../contract/limits.ts'
import type { PageLoader } from '../../src/text/page-loader.ts'
import { until } from '../kit/until.ts'

const test = suite('loader')

const page = readFileSync(join(import.meta.dirname, '../../dist/index.html'), 'utf8')
const [, SCRIPT = ''] = /<script data-[^>]*>(.*?)<\/script>/s.exec(page) ?? []

interface Options {
  /** Serial number of the hub for which the page is relayed. */
  hub?: string
  cookie?: string
  /** The browser's language. */
  language?: string
  packs?: Record<string, string>
  /** Content of the local storage. */
  stored?: Record<string, string>
  fetch?: (path: string, init: { signal: AbortSignal }) => Promise<unknown>
}

class HTMLLinkElement {
  rel = 'stylesheet'
}

/**
 * Runs the script, and reports that the style sheet has loaded. @returns its interface, the attributes that it set, the
 * timeouts that it asked for, and its event listeners
 */
function run({
  cookie = '',
  language = 'en-US',
  packs = { en: 'en.txt en-later.txt', zh: 'zh.txt zh-later.txt' },
  stored = {},
  hub,
  fetch
}: Options = {}) {
  const attributes = new Set<string>()
  const requests: string[] = []
  const timeouts: number[] = []
  const listeners = new Map<string, (event: object) => void>()
  const listen = (type: string, listener: (event: object) => void) => listeners.set(type, listener)
  let abort = () => {}
  const documentElement = {
    lang: 'en',
    dataset: { hub },
    style: { colorScheme: '' },
    toggleAttribute: (name: string, on: boolean) => (on ? attributes.add(name) : attributes.delete(name))
  }
  const window: { pageLoader?: PageLoader } = {}
  runInNewContext(SCRIPT, {
    window,
    document: {
      documentElement,
      cookie,
      currentScript: { dataset: { script: 'app.js', sentences: '2 1', ...packs } },
      createElement: () => ({}),
      head: { append: ({ src }: { src: string }) => requests.push(src) },
      addEventListener: listen,
      querySelector: () => ({})
    },
    navigator: { language },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    addEventListener: listen,
    AbortSignal: {
      timeout(milliseconds: number) {
        timeouts.push(milliseconds)
        const controller = new AbortController()
        abort = () => controller.abort(new Error('timed out'))
        return controller.signal
      }
    },
    Element: class {},
    HTMLLinkElement,
    fetch: (path: string, init: { signal: AbortSignal }) => {
      requests.push(path)
      return fetch ? fetch(path, init) : Promise.resolve({ ok: true, text: async () => `\n${path}` })
    }
  })
  assert.ok(window.pageLoader)
  assert.deepEqual(requests, [], 'nothing shares the line with the style sheet')
  listeners.get('load')?.({ target: new HTMLLinkElement() })
  return {
    loader: window.pageLoader,
    attributes,
    requests,
    timeouts,
    listeners,
    documentElement,
    window,
    abort: () => abort()
  }
}

test('the language is that of the cookie, else of the browser, else English', async () => {
  for (const [options, language] of [
    [{ cookie: 'headend-lang=zh' }, 'zh'],
    [{ cookie: 'a=b; headend-lang=en', language: 'zh-TW' }, 'en'],
    [{ language: 'zh-CN' }, 'zh'],
    [{ language: 'fr-FR' }, 'en'],
    [{ cookie: 'headend-lang=xx' }, 'en'],
    [{ cookie: 'headend-lang=xx', language: 'zh-CN' }, 'zh'],
    [{ cookie: 'headend-lang=zh-CN' }, 'zh'],
    [{ language: 'enx' }, 'en'],
    [{ language: 'de-AT', packs: { en: 'en.txt en-later.txt', de: 'de.txt de-later.txt' } }, 'de']
  ] as const) {
    const { loader, requests, documentElement } = run(options)
    assert.equal(loader.language, language)
    assert.equal(documentElement.lang, language)
    assert.deepEqual([...(await loader.firstPack)], ['', `${language}.txt`])
    assert.deepEqual(requests, ['app.js', `${language}.txt`])
  }
})

test('the login form is shown unless the login cache names a user', () => {
  assert.ok(run().attributes.has('data-login'))
  assert.ok(run({ cookie: 'headend-user=' }).attributes.has('data-login'))
  assert.equal(run({ cookie: 'headend-user=Admin; headend-id=1' }).attributes.has('data-login'), false)
  // Who opens a hub in the cloud is signed in already.
  assert.equal(run({ hub: 'HUB-1' }).attributes.has('data-login'), false)
})

test('the stored theme is applied at once', () => {
  assert.equal(run().documentElement.style.colorScheme, '')
  assert.equal(run({ stored: { [THEME_KEY]: 'dark' } }).documentElement.style.colorScheme, 'dark')
})

test('a language pack that has not arrived after 120 s shows an error, and Retry requests it again', async () => {
  let stuck = true
  const { loader, attributes, requests, timeouts, listeners, abort } = run({
    fetch: (path, { signal }) =>
      stuck
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : Promise.resolve({ ok: true, text: async () => `\n${path}` })
  })
  assert.equal(CHUNK_TIMEOUT, 120_000)
  await until(() => timeouts.length > 0, 'the pack is requested')
  assert.deepEqual(timeouts, [CHUNK_TIMEOUT])
  assert.equal(attributes.has('data-failed'), false)
  abort()
  await until(() => attributes.has('data-failed'), 'the error is shown')
  stuck = false
  listeners.get('click')?.({ target: { closest: (selector: string) => selector === '.retry' } })
  assert.deepEqual([...(await loader.firstPack)], ['', 'en.txt'])
  assert.equal(attributes.has('data-failed'), false)
  assert.deepEqual(requests, ['app.js', 'en.txt', 'en.txt'])
})

test('a pack that the server refuses shows the error too', async () => {
  const { attributes } = run({ fetch: async () => ({ ok: false, status: 404 }) })
  await until(() => attributes.has('data-failed'), 'the error is shown')
})

test('a response that is not the whole pack, such as the sign-in page of a network, shows the error too', async () => {
  for (const text of ['<!doctype html>\n<p>Sign in</p>\n', '', '\nen.txt\n']) {
    const { attributes } = run({ fetch: async () => ({ ok: true, text: async () => text }) })
    await until(() => attributes.has('data-failed'), 'the error is shown')
  }
})

test('input after an early submit withdraws it', () => {
  const { loader, listeners } = run()
  listeners.get('submit')?.({ preventDefault() {} })
  assert.equal(loader.submitted, true)
  listeners.get('input')?.({})
  assert.equal(loader.submitted, false)
})

test('a failure to load another language is reported only to the caller', async () => {
  const { loader, attributes } = run({
    fetch: async (path) => ({ ok: path === 'en.txt', status: 503, text: async () => `\n${path}` })
  })
  assert.deepEqual([...(await loader.firstPack)], ['', 'en.txt'])
  await assert.rejects(loader.loadPack('zh'), /503/)
  assert.equal(attributes.has('data-failed'), false)
})

test('the sentences of the later script are in a file of their own, which must be complete as well', async () => {
  const { loader } = run({
    fetch: async (path) => ({ ok: true, text: async () => (path === 'zh-later.txt' ? 'a\nb' : path) })
  })
  assert.deepEqual([...(await loader.loadLaterPack('en'))], ['en-later.txt'])
  await assert.rejects(loader.loadLaterPack('zh'), /not a language pack/)
})

test('a script that fails before it replaces the page shows the error', () => {
  for (const type of ['error', 'unhandledrejection']) {
    const { attributes, listeners, window } = run()
    listeners.get(type)?.({ target: window })
    assert.ok(attributes.has('data-failed'), type)
  }
})

test('a submit before the console has started is prevented and remembered', () => {
  const { loader, listeners } = run()
  let prevented = false
  listeners.get('submit')?.({ preventDefault: () => (prevented = true) })
  assert.ok(prevented)
  assert.equal(loader.submitted, true)
})

test.run()
