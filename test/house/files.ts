// Rules for file names, test files and file contents.

const VAGUE = ['index', 'util', 'utils', 'helper', 'helpers', 'common', 'types', 'constants', 'misc', 'shared']
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/
/** Names required by tools or convention. Sass partials begin with `_`. */
const CUSTOMARY = /^(README\.md|CONTRIBUTING\.md|LICENSE|Makefile|\..+|_[a-z0-9-]+\.scss)$/

/** Returns the fault of a path: a folder or file name that is vague or not in kebab-case. */
export function nameFault(path: string): string | undefined {
  const parts = path.split('/')
  const odd = parts.find((part) => !KEBAB.test(part) && !CUSTOMARY.test(part))
  if (odd) return `${path}: '${odd}' is not in kebab-case`
  // Web servers expect this name.
  if (path === 'static/index.html') return undefined
  const vague = parts.find((part) => VAGUE.includes(part.split('.')[0] ?? ''))
  return vague ? `${path}: '${vague}' is too vague` : undefined
}

/** Returns the faults of a test file. */
export function suiteFaults(path: string, text: string): string[] {
  const faults: string[] = []
  const suites = [...text.matchAll(/^const (\w+) = suite(?:Requiring)?\b/gm)].map(([, name]) => name ?? '')
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

const MACHINE_SPECIFIC = [
  /(?<![\w.~-])\/(home|root|work|Users)\/[\w.-]+/,
  /\b[A-Z]:\\Users\\/,
  /\/\/[\w.-]*\b(registry|artifactory|nexus|verdaccio|npm)\b[\w.-]*\.\w+/,
  /"resolved": *"https?:/
]

/** Returns parts of a text that are specific to a machine: home folders, addresses of package registries. */
export function machineSpecificText(text: string): string[] {
  return MACHINE_SPECIFIC.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
}
