/**
 * The Content-Security-Policy of the hub's responses: nothing from other origins, and no framing.
 * @param scripts sources of inline scripts, as `inlineScriptSources` returns them
 */
export function contentSecurityPolicy(scripts: readonly string[] = []): string {
  const directives = {
    'default-src': "'none'",
    'script-src': ["'self'", ...scripts].join(' '),
    'style-src': "'self'",
    'img-src': "'self' blob: data:",
    'connect-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'"
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}
