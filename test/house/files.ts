// How files are named, what test files owe, and what must not stand in any file.

const VAGUE = ['index', 'util', 'utils', 'helper', 'helpers', 'common', 'types', 'constants', 'misc', 'shared']
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/
/** Names that tools and readers expect as they are; Sass makes no style sheet of a part that begins with `_`. */
const CUSTOMARY = /^(README\.md|LICENSE|Makefile|\..+|_[a-z0-9-]+\.scss)$/

/** What is wrong with the name of a file or of a folder it lies in. */
export function nameFault(path: string): string | undefined {
  const parts = path.split('/')
  const odd = parts.find((part) => !KEBAB.test(part) && !CUSTOMARY.test(part))
  if (odd) return `${path}: '${odd}' is not in kebab-case`
  // The page itself is what web servers look for.
  if (path === 'static/index.html') return undefined
  const vague = parts.find((part) => VAGUE.includes(part.split('.')[0] ?? ''))
  return vague ? `${path}: '${vague}' says nothing` : undefined
}

/** What is wrong with a test file, by its text. */
export function suiteFaults(path: string, text: string): string[] {
  const faults: string[] = []
  const suites = [...text.matchAll(/^const (\w+) = suite\b/gm)].map(([, name]) => name ?? '')
  if (suites.length === 0) faults.push(`${path}: no suite`)
  for (const name of suites) {
    if (!new RegExp(`^${name}\\.run\\(\\)$`, 'm').test(text)) faults.push(`${path}: ${name}.run() is missing`)
    // A shared function may add the tests of a suite that is passed to it.
    if (!new RegExp(`^\\s*${name}\\(|^add\\w*Tests\\(${name},`, 'm').test(text))
      faults.push(`${path}: ${name} has no test`)
    const disabled = new RegExp(`^\\s*${name}\\.(only|skip)\\b`, 'm').exec(text)
    if (disabled) faults.push(`${path}: ${name}.${disabled[1]}`)
  }
  return faults
}

const PRIVATE = [
  /(?<![\w.~-])\/(home|root|work|Users)\/[\w.-]+/,
  /\b[A-Z]:\\Users\\/,
  /\/\/[\w.-]*\b(registry|artifactory|nexus|verdaccio|npm)\b[\w.-]*\.\w+/,
  /"resolved": *"https?:/
]

/** What in a text belongs to one machine: its paths, the address of its package registry. */
export function machineSpecificText(text: string): string[] {
  return PRIVATE.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
}
