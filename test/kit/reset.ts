// Before each test the document is as new.

type Clean = () => void | Promise<void>

const cleaners: Clean[] = []

/** Has `clean` called before each test of this file. */
export function beforeEachTest(clean: Clean): void {
  cleaners.push(clean)
}

export async function reset(): Promise<void> {
  for (const clean of cleaners) await clean()
  if (typeof document === 'undefined') return
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name)
  const cookies = document.cookie.split('; ').filter(Boolean)
  for (const cookie of cookies) forget(cookie.split('=')[0] ?? '')
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
}

function forget(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the only way that an insecure page has too
  document.cookie = `${cookie}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/`
}
