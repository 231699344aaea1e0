// Renders a component into the document. All components are unmounted before the next test.
import { type ComponentChild, render } from 'preact'
import { beforeEachTest } from '../runner/reset-document.ts'

const hosts = new Set<Element>()

beforeEachTest(unmountAll)

/** Renders a component. @returns the element that contains it */
export function mount(component: ComponentChild): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  hosts.add(host)
  render(component, host)
  return host
}

/** Unmounts all components and waits until their effects are cleaned up, which Preact does after the next frame. */
export async function unmountAll(): Promise<void> {
  if (hosts.size === 0) return
  for (const host of hosts) {
    render(null, host)
    host.remove()
  }
  hosts.clear()
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
