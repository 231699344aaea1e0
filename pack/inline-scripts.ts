// The inline scripts of a page, as a Content-Security-Policy allows them.
import { createHash } from 'node:crypto'

/** The policy sources of the inline scripts in a page: "'sha256-…'" for each (CSP Level 3, section 2.3.1). */
export function inlineScriptSources(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  )
}
