// Sets up a DOM for a test file. Node's fetch, streams, blobs and timers stay, because the in-process hub uses them.
import { Window } from 'happy-dom'

/** Globals that exist in Node too, but must come from the DOM. */
const DOM_NAMES = new Set(['Event', 'CustomEvent', 'EventTarget', 'navigator', 'localStorage', 'sessionStorage'])

function namesOf(window: object): Set<string> {
  const names = new Set<string>()
  for (let on = window; on && on !== Object.prototype; on = Object.getPrototypeOf(on))
    for (const name of Object.getOwnPropertyNames(on)) names.add(name)
  return names
}

/**
 * Makes the properties of a new window global, as in a browser.
 * @returns a function that closes the window; the caller removes the globals
 */
export function openDocument(): () => Promise<void> {
  const window = new Window({ url: 'http://hub.test/', width: 1440, height: 900 })
  const values = window as unknown as Record<string, unknown>
  const globals: Record<string, unknown> = { window }
  for (const name of namesOf(window)) {
    if (name in globalThis && !DOM_NAMES.has(name)) continue
    const value = values[name]
    const isMethod = typeof value === 'function' && /^[a-z]/.test(name)
    globals[name] = isMethod ? value.bind(window) : value
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return () => window.happyDOM.close()
}
