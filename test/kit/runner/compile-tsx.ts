// Compiles the .tsx files to build/tsx/, because Node cannot run JSX. A file that has not changed since the last run is
// not compiled again.
import { existsSync, globSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'build/tsx')
const stamp = join(folder, 'compiled')
/** Files that decide how the others are compiled. */
const COMPILER = ['package-lock.json', 'test/kit/runner/compile-tsx.ts']

/** happy-dom in one file: its 700 modules take three times as long to load. */
export const happyDom = join(folder, 'happy-dom.js')

/** Where the compiled form of a .tsx file is. */
export const compiledPath = (file: string): string =>
  join(folder, `${relative(root, file).slice(0, -'.tsx'.length)}.js`)

const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Compiles every .tsx file that is newer than the last compilation. A file that does not compile is reported when a
 * test imports it.
 */
export async function compileTsx(): Promise<void> {
  const last = COMPILER.some((file) => modified(join(root, file)) >= modified(stamp)) ? 0 : modified(stamp)
  const began = new Date()
  const files = globSync('{src,test}/**/*.tsx', { cwd: root }).map((file) => join(root, file))
  const changed = files.filter((file) => modified(file) >= last)
  if (changed.length === 0) return
  if (!last) await bundleHappyDom()
  await Promise.all(changed.map(compile))
  writeFileSync(stamp, '')
  // A file that is written during the compilation is compiled again.
  utimesSync(stamp, began, began)
}

async function bundleHappyDom(): Promise<void> {
  const { build } = await import('esbuild')
  const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"
  const options = { bundle: true, format: 'esm', platform: 'node', target: 'node24', banner: { js: banner } } as const
  await build({ entryPoints: ['happy-dom'], absWorkingDir: root, outfile: happyDom, ...options })
}

async function compile(file: string): Promise<void> {
  const { transform } = await import('esbuild')
  const options = {
    loader: 'tsx',
    jsx: 'automatic',
    target: 'node24',
    sourcefile: file,
    sourcemap: 'external'
  } as const
  const { code, map } = await transform(readFileSync(file, 'utf8'), options).catch((error: Error) => ({
    code: `throw new Error(${JSON.stringify(error.message)})`,
    map: ''
  }))
  mkdirSync(dirname(compiledPath(file)), { recursive: true })
  writeFileSync(compiledPath(file), code)
  writeFileSync(`${compiledPath(file)}.map`, map)
}

/** Replaces places in compiled or reloaded files by their places in the source, in an error with its stack. */
export function mapStack(text: string): string {
  return text
    .replace(/\?file=\d+(?=:\d)/g, '')
    .replace(/((?:file:\/\/)?(\/[^\s:()]+\.tsx)):(\d+):(\d+)/g, (place, name, path, line, column) => {
      const map = existsSync(`${compiledPath(path)}.map`) && readFileSync(`${compiledPath(path)}.map`, 'utf8')
      // There is none of a file that did not compile.
      if (!map) return place
      const entry = new SourceMap(JSON.parse(map)).findEntry(Number(line) - 1, Number(column) - 1)
      return 'originalLine' in entry ? `${name}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : place
    })
}
