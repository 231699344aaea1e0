// The layout of the tree: what may be at the top level, how long files may be, and how wide comments.

/** Everything at the top level of the repository. */
export const TOP_LEVEL: readonly string[] = [
  '.ci',
  '.gitignore',
  '.npmrc',
  'CONTRIBUTING.md',
  'LICENSE',
  'Makefile',
  'README.md',
  'accounts',
  'bench',
  'biome.json',
  'bundler',
  'cloud',
  'contract',
  'data-files',
  'deploy',
  'device-link',
  'docs',
  'engine',
  'firewall',
  'firmware-pack',
  'fleet',
  'hub',
  'license',
  'make',
  'process-log',
  'supervisor',
  'pack',
  'package-lock.json',
  'package.json',
  'rollup.cloud.mjs',
  'rollup.config.mjs',
  'size-budget-cloud.json',
  'size-budget.json',
  'src',
  'static',
  'test',
  'tls',
  'tsconfig.json',
  'updater',
  'web-server'
]

/**
 * Files are split where a second concern begins, not at a number of lines: most have 50 to 250 lines, and 300 is a
 * length at which to look for a second concern. A longer file than this is named here with the reason.
 */
const FILE_LINES = 400

/** Files that may be longer, with the reason. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'hub/database/migrations.ts': 'a list that only grows'
}

/** Columns of a line of a comment. Biome formats code to the same width. */
const LINE_COLUMNS = 120

export interface SourceFile {
  path: string
  lines: number
}

/** Top-level names that are not in the list. */
export function unknownAtTop(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].filter((name) => !TOP_LEVEL.includes(name))
}

/** Files that are longer than allowed. */
export function tooLong(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, lines }) => lines > FILE_LINES && !LONG_FILES[path])
    .map(({ path, lines }) => `${path}: ${lines} lines`)
}

/**
 * Lines of comments that are wider than allowed, except aligned columns, directives and URLs, which cannot be wrapped.
 */
export function wideComments(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const isWide = line.length > LINE_COLUMNS && /^\s*(\/\/|\/?\* |\/\*\*)/.test(line)
    const cannotWrap = /\S {2,}\S|biome-ignore|@ts-|https?:\/\//.test(line)
    return isWide && !cannotWrap ? [`${path}:${index + 1}: ${line.length} columns`] : []
  })
}

/**
 * Lines that look up a text of the object `TEXT` by a value. The minifier then keeps all texts of the object with their
 * names, which took 3 KB.
 */
export const lookups = (path: string, text: string): string[] =>
  text.split('\n').flatMap((line, index) => (/\bTEXT\[/.test(line) ? [`${path}:${index + 1}`] : []))
