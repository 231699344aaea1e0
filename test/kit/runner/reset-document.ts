// Resets the document before each test.

type ResetHook = () => void | Promise<void>

const resetHooks: ResetHook[] = []

/** Forgets the functions that the last file has registered. */
export function forgetResetHooks(): void {
  resetHooks.length = 0
}

/** Registers a function that is called before each test of this file. */
export function beforeEachTest(clean: ResetHook): void {
  resetHooks.push(clean)
}

export async function resetDocument(): Promise<void> {
  for (const clean of resetHooks) await clean()
  if (typeof document === 'undefined') return
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name)
  const cookies = document.cookie.split('; ').filter(Boolean)
  for (const cookie of cookies) deleteCookie(cookie.split('=')[0] ?? '')
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}

function deleteCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context
  document.cookie = `${cookie}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/`
}
