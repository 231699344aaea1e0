// The units of the package: those of deploy/systemd, which run the clone in /opt/headend, with the launcher instead.

const CLONE_NODE = '/opt/headend/node_modules/.bin/node '
const LAUNCH = '/usr/lib/headend/launch '

/** What a unit says of the clone, and its replacement. The launcher changes to the folder of the release. */
const REPLACEMENTS: readonly [RegExp, string][] = [
  [/^WorkingDirectory=\/opt\/headend\n/m, ''],
  [/ DIST=\/opt\/headend\/dist\b/, ''],
  [new RegExp(`^(ExecStart=)${CLONE_NODE}(?:/opt/headend/)?`, 'm'), `$1${LAUNCH}`]
]

/** @returns the unit of the package @throws Error when it would still use the clone */
export function packageUnit(unit: string): string {
  const text = REPLACEMENTS.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), unit)
  if (text.includes('/opt/') || !text.includes(`ExecStart=${LAUNCH}`))
    throw new Error(`Not a unit of the clone:\n${text}`)
  return text
}
