// The banner of a hub in development mode, in which it trusts the public development key. The hub adds it to every page
// that it serves, so that it is also on the login page, and on every console that is installed.

const ENGLISH =
  'Development mode: this hub trusts a signing key that everybody has. Anyone may have changed this console.'
const CHINESE = '开发模式：本中控信任一个公开的签名密钥，任何人都可能改动过此控制台。'

/** The style sheet hides the language that is not selected. A page without a style sheet shows both. */
const BANNER = `<p class="banner development" role="status"><span lang="en">${ENGLISH}</span><span lang="zh">${CHINESE}</span></p>`

/** Adds the banner to the end of an HTML page. */
export function addDevelopmentBanner(page: string): string {
  const end = page.lastIndexOf('</body>')
  return end < 0 ? page + BANNER : page.slice(0, end) + BANNER + page.slice(end)
}
