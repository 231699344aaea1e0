// Security headers of responses.

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
    'media-src': 'blob:',
    'connect-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'"
  }
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
}

/** A policy that also lets forms be sent to other origins. @param targets sources of the policy */
export const allowFormTargets = (policy: string, targets: string): string =>
  policy.replace("form-action 'self'", `form-action 'self' ${targets}`)

/** Headers of every response. The console loads nothing from other origins, and must not be framed. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The console's own requests carry a Referer, which `origin.ts` checks; requests to other sites do not.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}
