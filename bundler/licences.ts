// Writes `legal.txt`: our licence and that of each package whose code is in the bundle. The footer links to it, and the
// firmware pack makes its SBOM from the headings.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rollup'
import { root } from './project.ts'

/** Compiled into the style sheet; no script imports it. */
const STYLES = '@picocss/pico'

/** @param name of a package */
function notice(name: string): string {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim() : ''
  return `-- ${name} ${version} (${license})\n${text}`.trim()
}

export function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => ('modules' in file ? Object.entries(file.modules) : []))
      const used = modules
        .filter(([, { code }]) => code)
        .map(([id]) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1])
      const packages = [...new Set([...used.filter((name) => name !== undefined), STYLES])].sort()
      const head = `Headend\n\n${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}`
      const others = ['The console contains parts of these works, each under its own licence:', ...packages.map(notice)]
      this.emitFile({ type: 'asset', fileName: 'legal.txt', source: `${[head, ...others].join('\n\n')}\n` })
    }
  }
}
