// The console's own cookies, which all of its tabs have in common.

/** What a cookie holds, as it stands there. */
export function readCookie(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
}

/** Keeps a value, of letters that cookies take, for so many seconds; 0 = not any more. */
export function writeCookie(name: string, value: string, seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin, which a hub on plain HTTP is not.
  document.cookie = `${name}=${value}; path=/; SameSite=Strict; max-age=${seconds}`
}
