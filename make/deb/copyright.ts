// The copyright file of the package: the licences of Headend and of all parts of others that it contains.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Debian has the text of this licence on every system, and its policy refers to it there. */
const APACHE = /Apache License\s+Version 2\.0/

interface PackageFile {
  name: string
  version: string
  license?: string
  licenses?: { type: string }[]
}

/** The text of a package's licence. */
function licenceText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (!file) return ''
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim()
  return APACHE.test(text) ? 'The text of this licence is in /usr/share/common-licenses/Apache-2.0.' : text
}

function notice(folder: string): string {
  const { name, version, license, licenses }: PackageFile = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8')
  )
  return `-- ${name} ${version} (${license ?? licenses?.[0]?.type ?? 'see the text'})\n${licenceText(folder)}`.trim()
}

/**
 * Creates the file.
 * @param packages folders of the packages of npm in the release
 * @param legal licences of the console, as its build lists them
 */
export function copyrightText(root: string, packages: readonly string[], legal: string): string {
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim()
  const notices = packages.filter((path) => existsSync(join(root, path))).map((path) => notice(join(root, path)))
  const [, console = ''] = legal.split('\n\nThe console contains parts of these works', 2)
  return `${[
    'Headend',
    own,
    'Node.js (bin/node of the release, unchanged) and the libraries in it: their licences are in\n/usr/share/doc/headend/node-licences.gz.',
    'Hub, stream engine and firewall service contain these works, each under its own licence:',
    ...notices,
    `The console contains parts of these works${console.trim()}`
  ].join('\n\n')}\n`
}
