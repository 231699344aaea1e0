// Writes `legal.txt`: our licence, and that of each package whose code is in the bundle. The footer links it; the firmware pack reads its
// headings to know what the bundle is made of.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = import.meta.dirname

/** The style sheet is made of it, which no script imports. */
const STYLES = '@picocss/pico'

/** @param {string} name of a package */
function notice(name) {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim() : ''
  return `-- ${name} ${version} (${license})\n${text}`.trim()
}

export function legal() {
  return {
    name: 'legal',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.entries(modules))
      const used = modules
        .filter(([, { code }]) => code)
        .map(([id]) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1])
      const packages = [...new Set([...used.filter(Boolean), STYLES])].sort()
      const head = `Headend\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`
      const others = ['The console contains parts of these works, each under its own licence:', ...packages.map(notice)]
      this.emitFile({ type: 'asset', fileName: 'legal.txt', source: `${[head, ...others].join('\n\n')}\n` })
    }
  }
}
