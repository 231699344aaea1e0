// The files of the project and their imports.
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** All files that git tracks or would track, relative to the root. */
export function projectFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const paths = new Set(listed.toString().split('\0').filter(Boolean))
  // git also lists deleted files before they are committed, and a link to a package folder.
  return [...paths].filter((path) => lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile()).sort()
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export const isCode = (path: string) => /\.(ts|tsx|mjs)$/.test(path)
export const isTestFile = (path: string) => /\.test\.tsx?$/.test(path)

const IMPORT =
  /^\s*(?:import|export)\b(?<type>\s+type\b)?[\w\s{},*$]*?\bfrom\s*(?<quote>['"])(?<path>[^'"\n]+)\k<quote>/gm
const BARE_IMPORT = /^\s*import\s*(['"])(?<path>[^'"\n]+)\1/gm
const LATE_IMPORT = /\bimport\(\s*(['"])(?<path>[^'"\n]+)\1/g

const matchImports = (text: string) =>
  [IMPORT, BARE_IMPORT, LATE_IMPORT].flatMap((pattern) => [...text.matchAll(pattern)].map(({ groups }) => groups ?? {}))

/** Import specifiers of a source as written, including type-only imports. */
export const importsOf = (text: string): string[] => matchImports(text).map(({ path = '' }) => path)

export interface Import {
  from: string
  /** A path relative to the root, `npm:` and a package name, or `node:` and a module of Node. */
  to: string
  /** The import is erased when the source is compiled. */
  isTypeOnly?: true
}

/** The imports of one file. */
export function resolvedImports(path: string, text: string): Import[] {
  const resolved = (to: string) => {
    if (to.startsWith('.')) return posix.join(posix.dirname(path), to)
    return to.startsWith('node:') ? to : `npm:${to}`
  }
  return matchImports(text).map(({ path: to = '', type }) => ({
    from: path,
    to: resolved(to),
    ...(type && { isTypeOnly: true as const })
  }))
}

/** Every import of every source file. */
export function projectImports(): Import[] {
  return projectFiles()
    .filter(isCode)
    .flatMap((path) => resolvedImports(path, textOf(path)))
}
