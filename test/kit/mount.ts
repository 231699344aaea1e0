// Shows a component in the document. What is left mounted goes before the next test.
import { type ComponentChild, render } from 'preact'
import { beforeEachTest } from './reset.ts'

const hosts = new Set<Element>()

beforeEachTest(unmountAll)

/** @returns the element that holds what was drawn */
export function mount(what: ComponentChild): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  hosts.add(host)
  render(what, host)
  return host
}

/** Waits for the effects to be cleaned up, which Preact does after the next picture. */
export async function unmountAll(): Promise<void> {
  if (hosts.size === 0) return
  for (const host of hosts) {
    render(null, host)
    host.remove()
  }
  hosts.clear()
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
