// Shows a component in the document. What is left mounted goes before the next test.
import { rootOf } from '../../src/draw/tree.ts'
import { beforeEachTest } from './reset.ts'

/** What draws into each element that holds something. */
const roots = new Map<Element, ReturnType<typeof rootOf>>()

beforeEachTest(unmountAll)

/** @returns the element that holds what was drawn */
export function mount(what: unknown): HTMLElement {
  const host = document.createElement('div')
  document.body.append(host)
  const draw = rootOf(host)
  roots.set(host, draw)
  draw(what)
  return host
}

/** Takes away what `mount` drew into an element. */
export function unmount(host: Element): void {
  roots.get(host)?.(null)
  roots.delete(host)
}

/** Takes away all, and waits for what that has set going. */
export async function unmountAll(): Promise<void> {
  if (roots.size === 0) return
  for (const host of roots.keys()) {
    unmount(host)
    host.remove()
  }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
