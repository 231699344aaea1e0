// Finds citations of files in comments and documents, and those that a reader cannot open.

const FOLDERS = 'bench|bundler|contract|docs|engine|firmware-pack|fleet|hub|make|pack|src|static|test'
const EXTENSIONS = 'c|conf|h|html|json|lua|md|mjs|scss|sh|ts|tsx'

/** A path from the root of the repository: `hub/auth/gate.ts`, `engine/srt/`. */
const FROM_ROOT = new RegExp(`(?<![\\w./@*-])(?:${FOLDERS})/[\\w.-]*(?:/[\\w.-]+)*(?:\\.(?:${EXTENSIONS})\\b|/)`, 'g')

/** A source file by its name, in backticks: \`gate.ts\`. */
const BY_NAME = /`([\w-]+(?:\.test)?\.(?:ts|tsx|mjs|c|h|scss))`/g

/** A link of a document: [text](path), without links to other sites and to headings. */
const LINK = /\]\((?!https?:|#)([^)#\s]+)/g

/** Files that verbs or translators create. */
const GENERATED = /^(bench|firmware-pack)\/out\/|^contract\/text\/translations\/[a-z]{2}\.json$/

/** Citations of documents that are not in the repository. */
const FOREIGN_CITATIONS: readonly RegExp[] = [
  /\b(design|specification|reference|device-api|hub-api) \d/i,
  /(?<!docs\/)\b(design|specification|style|device-api|hub-api)\.md\b/,
  /\breviews\/|\bshared\//
]

/**
 * The comments of a source in TypeScript, C or SCSS. Strings may contain what looks like a comment; URLs do not count.
 */
export function commentsOf(source: string): string[] {
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)].map(([comment]) => comment)
}

/** Citations of documents that a reader cannot open. */
export const foreignCitations = (text: string): string[] =>
  FOREIGN_CITATIONS.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])

export interface Citations {
  /** Paths from the root of the repository. */
  paths: string[]
  /** File names without a folder. */
  names: string[]
  /** Paths relative to the document. */
  links: string[]
}

const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([whole, group]) => group ?? whole)

/** The files that a comment or a document cites. */
export function citationsIn(text: string, isDocument: boolean): Citations {
  return {
    paths: matchesOf(text, FROM_ROOT).filter((path) => !GENERATED.test(path)),
    names: matchesOf(text, BY_NAME),
    links: isDocument ? matchesOf(text, LINK) : []
  }
}

/** Whether the project has a file, or a folder if the path ends with a slash. */
export function exists(path: string, files: ReadonlySet<string>): boolean {
  if (files.has(path)) return true
  const folder = path.endsWith('/') ? path : `${path}/`
  for (const file of files) if (file.startsWith(folder)) return true
  return false
}
