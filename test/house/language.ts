// The language of the code: plain technical English. The lists contain words of earlier versions that replaced standard terms.

/** Words that no name of a file, type, function, variable or property may contain. */
export const BANNED_IN_NAMES: readonly string[] = [
  'anew',
  'conduct',
  'dialled',
  'flood',
  'gather',
  'hear',
  'heard',
  'insist',
  'judge',
  'lived',
  'patience',
  'people',
  'said',
  'shelf',
  'shelves',
  'sight',
  'surroundings',
  'told',
  'twin',
  'unfit',
  'veil',
  'veiled',
  'ways'
]

/** Words of the fleet's command line and of the engine's reason codes, by the folder that may use them. */
export const ALLOWED_IN_NAMES: Readonly<Record<string, readonly string[]>> = {
  'fleet/': ['flood', 'twin'],
  'hub/messages/reasons.ts': ['said']
}

/** Phrases that no comment and no document may contain. */
const BANNED_PHRASES: readonly RegExp[] = [
  /\bwhat (is|was|comes|came|stands|has|they)\b/i,
  /\bwho(ever)? (comes|asks|takes|guesses|looks)\b/i,
  /\b(is|are|was|were) (told|no more)\b/i,
  /\banew\b/i,
  /\bin the place of\b/i,
  /\btells of\b/i,
  /\bof its own accord\b/i,
  /\bwithout a word\b/i
]

/** Citations of documents that are not in the repository. */
const FOREIGN_CITATIONS: readonly RegExp[] = [
  /\b(design|specification|reference|device-api|hub-api) \d/i,
  /(?<!docs\/)\b(design|specification|style|device-api|hub-api)\.md\b/,
  /\breviews\/|\bshared\//
]

/** The comments of a source in TypeScript, C or SCSS. Strings may contain what looks like a comment; URLs do not count. */
export function commentsOf(source: string): string[] {
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)].map(([comment]) => comment)
}

/** Comments joined over their line breaks, so that a phrase is found across lines. */
const joined = (comments: readonly string[]) => comments.join('\n').replaceAll(/\s*\n\s*(\/\/|\*)? ?/g, ' ')

const findMatches = (text: string, patterns: readonly RegExp[]) =>
  patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])

/** Banned phrases and foreign citations in a text that is prose as a whole. */
export const faultsInProse = (text: string): string[] => [
  ...findMatches(text.replaceAll(/\s+/g, ' '), BANNED_PHRASES),
  ...findMatches(text, FOREIGN_CITATIONS)
]

/** Banned phrases and foreign citations in the comments of a source. */
export const faultsInComments = (source: string): string[] => faultsInProse(joined(commentsOf(source)))

/** The words of a name: 'readBody' and 'read-body' are 'read' and 'body'. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
    .filter(Boolean)
}

/** Names that a source declares: functions, variables, types, classes, and members of types and classes. */
export function declaredNames(source: string): string[] {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replaceAll(/(['"`])(?:\\.|(?!\1)[^\\\n])*\1/g, "''")
  const declarations = code.matchAll(/\b(?:const|let|function\*?|class|interface|type|enum)\s+([\w$]+)/g)
  const members = code.matchAll(/^\s+(?:readonly |async |static |#)*([A-Za-z_$][\w$]*)\??(?:\(.*\)|: )/gm)
  return [...declarations, ...members].map(([, name = '']) => name)
}

/** Names with a banned word. @param path the file that declares them */
export function bannedNames(names: readonly string[], path = ''): string[] {
  const allowed = Object.entries(ALLOWED_IN_NAMES).flatMap(([folder, words]) => (path.startsWith(folder) ? words : []))
  const isBanned = (word: string) => BANNED_IN_NAMES.includes(word) && !allowed.includes(word)
  return names.filter((name) => wordsOf(name).some(isBanned))
}
