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
 * Timers that end with the page, as in a browser: the console starts some that run as long as it is open.
 * @returns the functions that start timers, and one that ends those that still run
 */
function trackTimers() {
  const { setTimeout, setInterval, clearTimeout } = globalThis
  const running = new Set<NodeJS.Timeout>()
  return {
    starters: {
      setTimeout(run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) {
        const timer = setTimeout(() => {
          running.delete(timer)
          run(...values)
        }, ms)
        running.add(timer)
        return timer
      },
      setInterval(run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) {
        const timer = setInterval(run, ms, ...values)
        running.add(timer)
        return timer
      }
    },
    end: () => running.forEach(clearTimeout)
  }
}

/**
 * Makes the properties of a new window global, as in a browser.
 * @returns a function that closes the window, ends its timers and gives the globals their earlier values
 */
export function openDocument(): () => Promise<void> {
  const window = new Window({ url: 'http://hub.test/', width: 1440, height: 900 })
  const values = window as unknown as Record<string, unknown>
  const timers = trackTimers()
  const globals: Record<string, unknown> = { window, ...timers.starters }
  for (const name of namesOf(window)) {
    if (name in globalThis && !DOM_NAMES.has(name)) continue
    const value = values[name]
    const isMethod = typeof value === 'function' && /^[a-z]/.test(name)
    globals[name] = isMethod ? value.bind(window) : value
  }
  const earlier = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return async () => {
    await window.happyDOM.close()
    timers.end()
    for (const [name, property] of earlier)
      if (property) Object.defineProperty(globalThis, name, property)
      else Reflect.deleteProperty(globalThis, name)
  }
}
