// Compiles the .tsx files to build/tsx/, because Node cannot run JSX. A file that has not changed since the last run is not compiled again.
import { globSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'build/tsx')
const stamp = join(folder, 'compiled')
/** Files that decide how the others are compiled. */
const COMPILER = ['package-lock.json', 'test/kit/runner/compile-tsx.ts']

/** Where the compiled form of a .tsx file is. */
export const compiledPath = (file: string): string =>
  join(folder, `${relative(root, file).slice(0, -'.tsx'.length)}.js`)

const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Compiles every .tsx file that is newer than the last compilation. A file that does not compile is reported when a test imports it. */
export async function compileTsx(): Promise<void> {
  const last = COMPILER.some((file) => modified(join(root, file)) >= modified(stamp)) ? 0 : modified(stamp)
  const began = new Date()
  const files = globSync('{src,test}/**/*.tsx', { cwd: root }).filter((file) => modified(join(root, file)) >= last)
  if (files.length === 0) return
  const { build } = await import('esbuild')
  const compile = (entryPoints: string[]) =>
    build({
      entryPoints,
      absWorkingDir: root,
      outdir: folder,
      outbase: root,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      jsx: 'automatic',
      sourcemap: 'external',
      sourcesContent: false,
      logLevel: 'silent'
    })
  mkdirSync(folder, { recursive: true })
  await compile(files).catch(() => Promise.all(files.map((file) => compile([file]).catch(writeError(file)))))
  writeFileSync(stamp, '')
  // A file that is written during the compilation is compiled again.
  utimesSync(stamp, began, began)
}

const writeError = (file: string) => (error: unknown) => {
  const text = error instanceof Error ? error.message : String(error)
  writeFileSync(compiledPath(join(root, file)), `throw new Error(${JSON.stringify(text)})`)
}

/** Replaces places in compiled files by their places in the source, in an error with its stack. */
export function mapStack(text: string): string {
  return text.replace(/((?:file:\/\/)?(\/[^\s:()]+\.tsx)):(\d+):(\d+)/g, (place, name, path, line, column) => {
    const map = `${compiledPath(path)}.map`
    if (!modified(map)) return place
    const entry = new SourceMap(JSON.parse(readFileSync(map, 'utf8'))).findEntry(Number(line) - 1, Number(column) - 1)
    return 'originalLine' in entry ? `${name}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : place
  })
}
