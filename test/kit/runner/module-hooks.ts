// Makes Node load the modules of a test as the build of the console does. Node runs TypeScript itself. What it cannot
// run, it gets from here: .tsx files are compiled before the run (`compile-tsx.ts`), packages have the aliases of the
// build, style sheets are empty, and images are text.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { alias, wouterShim } from '../../../bundler/alias.ts'
import { compiledPath, happyDom } from './compile-tsx.ts'

const suite = pathToFileURL(join(import.meta.dirname, 'suite.ts')).href

const replaced: Readonly<Record<string, string>> = Object.fromEntries(
  // wouter keeps its location in the path of the URL. As in the build, the console's hash location replaces it.
  Object.entries({ ...alias, 'happy-dom': happyDom, './use-browser-location.js': wouterShim }).map(([name, target]) => [
    name,
    target.startsWith('/') ? pathToFileURL(target).href : target
  ])
)

/** The runner's own modules, which all files of a process share, as they do those of hub and engine. */
const runner = `${pathToFileURL(import.meta.dirname)}/`
/** Modules that each file gets anew: those of the tests, of the console, and of its packages that keep state. */
const fresh = ['test/', 'src/', ...['nanostores', 'preact', 'wouter'].map((name) => `node_modules/${name}/`)].map(
  (folder) => new URL(`../../../${folder}`, runner).href
)

/** Number of the test file in this process, from 0; -1 before the first. */
let fileNumber = -1

/** Has the modules that keep state loaded again for the next test file of this process. */
export function useNewModules(): void {
  fileNumber++
}

/** The address of a module in the running test file. */
const addressOf = (url: string): string =>
  fileNumber > 0 && fresh.some((folder) => url.startsWith(folder)) && !url.startsWith(runner)
    ? `${url}?file=${fileNumber}`
    : url

registerHooks({
  resolve(name, context, next) {
    // uvu itself has no `suite` that reports to the runner.
    if (name === 'uvu' && context.parentURL !== suite) return next(suite, context)
    const url = replaced[name] ?? name
    // Node would look for the file and for its package.json, which takes a fifth of the time to load a hub.
    if (/^\.{1,2}\/.*\.ts$/.test(url) && context.parentURL)
      return {
        url: addressOf(new URL(url, context.parentURL).href),
        format: 'module-typescript',
        shortCircuit: true
      }
    const resolved = next(url, context)
    return { ...resolved, url: addressOf(resolved.url) }
  },
  load(url, context, next) {
    const [address = '', isAnew] = url.split('?file=')
    const source = sourceOf(address) ?? (isAnew && address.endsWith('.ts') ? withoutTypes(address) : undefined)
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
  }
})

/** The source of a module that Node cannot load, or undefined. */
function sourceOf(url: string): string | undefined {
  if (/\.s?css$/.test(url)) return ''
  if (url.endsWith('.svg')) return `export default ${JSON.stringify(readFileSync(fileURLToPath(url), 'utf8'))}`
  if (url.endsWith('.tsx')) return readFileSync(compiledPath(fileURLToPath(url)), 'utf8')
  return undefined
}

/** The source of each reloaded module without its types. Without this map, Node would strip it for each test file. */
const stripped = new Map<string, string>()

function withoutTypes(url: string): string {
  const source = stripped.get(url) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
  stripped.set(url, source)
  return source
}
