// The console's own cookies, which all its tabs share.

/** Returns the raw value of a cookie. */
export function readCookie(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1]
}

/** Sets a cookie. @param value characters that cookies allow @param seconds lifetime; 0 deletes the cookie */
export function writeCookie(name: string, value: string, seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin, which a hub on plain HTTP is not.
  document.cookie = `${name}=${value}; path=/; SameSite=Strict; max-age=${seconds}`
}
