// The layout of the tree: what may be at the top level, and how large files and folders may be.

/** Everything at the top level of the repository. */
export const TOP_LEVEL: readonly string[] = [
  '.ci',
  '.gitignore',
  '.npmrc',
  'CONTRIBUTING.md',
  'LICENSE',
  'Makefile',
  'README.md',
  'bench',
  'biome.json',
  'bundler',
  'contract',
  'deploy',
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
  'rollup.config.mjs',
  'size-budget.json',
  'src',
  'static',
  'test',
  'tsconfig.json'
]

/** Lines of a source file, and of a test file. */
const FILE_LINES = 300
const TEST_FILE_LINES = 400

/** Files that may be longer: parsers, tables and writers of a format. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  'engine/native/ndi/matroska.c': 'writer of a format',
  'hub/store/migrations.ts': 'a list that only grows'
}

/** Files directly in a folder. */
const FOLDER_FILES = 24

/** Folders that may have more, because each file is one entry of a flat list. */
export const LARGE_FOLDERS: Readonly<Record<string, string>> = {}

export interface SourceFile {
  path: string
  lines: number
}

const isTestFile = (path: string) => path.startsWith('test/')

/** Top-level names that are not in the list. */
export function unknownAtTop(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].filter((name) => !TOP_LEVEL.includes(name))
}

/** Files that are longer than allowed. */
export function tooLong(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, lines }) => lines > (isTestFile(path) ? TEST_FILE_LINES : FILE_LINES) && !LONG_FILES[path])
    .map(({ path, lines }) => `${path}: ${lines} lines`)
}

/** Folders with more files than allowed. */
export function tooFull(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => folder !== '' && count > FOLDER_FILES && !LARGE_FOLDERS[folder])
    .map(([folder, count]) => `${folder}: ${count} files`)
}
