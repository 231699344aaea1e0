// Gives a test file a document. Node's own fetch, streams, blobs and timers stay: the hub in process works with those.
import { Window } from 'happy-dom'

/** Names that Node has too, but where the document's own are needed. */
const OURS = new Set(['Event', 'CustomEvent', 'EventTarget', 'navigator', 'localStorage', 'sessionStorage'])

function namesOf(window: object): Set<string> {
  const names = new Set<string>()
  for (let on = window; on && on !== Object.prototype; on = Object.getPrototypeOf(on))
    for (const name of Object.getOwnPropertyNames(on)) names.add(name)
  return names
}

/**
 * Puts a window's names among the global ones, as in a browser.
 * @returns ends the window; the names are the caller's to take back
 */
export function openDocument(): () => Promise<void> {
  const window = new Window({ url: 'http://hub.test/', width: 1440, height: 900 })
  const values = window as unknown as Record<string, unknown>
  const given: Record<string, unknown> = { window }
  for (const name of namesOf(window)) {
    if (name in globalThis && !OURS.has(name)) continue
    const value = values[name]
    const isMethod = typeof value === 'function' && /^[a-z]/.test(name)
    given[name] = isMethod ? value.bind(window) : value
  }
  for (const [name, value] of Object.entries(given))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return () => window.happyDOM.close()
}
