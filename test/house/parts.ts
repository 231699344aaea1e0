// A part of the hub names the parts that it needs. No type names so many of them that a parameter of that type says
// nothing about what a function needs.
import { posix } from 'node:path'

/** Fields of one type whose types come from other folders of the hub. */
const PARTS_MAX = 12

const TYPE = /^(?:export )?(?:interface|type|class) (\w+)[^{\n]*\{\n([\s\S]*?)^\}/gm
const FIELD = /^ {2}(?:readonly )?#?\w+\??: (.+)$/gm
const NAMED_IMPORT = /^import (?:type )?\{([^}]*)\} from '([^']+)'/gm

/** The names that a file of the hub imports from other folders of the hub. */
function importedParts(path: string, text: string): Set<string> {
  const folder = posix.dirname(path)
  const names = new Set<string>()
  for (const [, list = '', from = ''] of text.matchAll(NAMED_IMPORT)) {
    const target = posix.dirname(posix.join(folder, from))
    if (!from.startsWith('.') || !target.startsWith('hub/') || target === folder) continue
    for (const name of list.split(',')) names.add(name.replace(/^\s*type\s/, '').trim())
  }
  return names
}

/** Returns the types of a file of the hub that name too many parts. */
export function partFaults(path: string, text: string): string[] {
  const parts = importedParts(path, text)
  return [...text.matchAll(TYPE)].flatMap(([, name, body = '']) => {
    const fields = [...body.matchAll(FIELD)].filter(([, type = '']) =>
      type.match(/\w+/g)?.some((word) => parts.has(word))
    )
    if (fields.length <= PARTS_MAX) return []
    return [`${path}: ${name} names ${fields.length} parts of the hub, but at most ${PARTS_MAX} are allowed`]
  })
}
