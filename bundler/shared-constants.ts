// Gives the later script its own copies of the constants that it would import from the first: numbers, texts, and tables of numbers such as
// those of sentences. Otherwise both scripts name each of them in their `export` and `import` clauses, and the minifier cannot replace a
// constant by its value, because the other script may read it. Saves 0.8 KB brotli.
import type { Plugin, ProgramNode } from 'rollup'

/** Source text of the value of each constant that the first script exports, by the name under which it exports it. */
type Constants = ReadonlyMap<string, string>

type Statement = ProgramNode['body'][number]
type Specifier = Extract<Statement, { type: 'ExportNamedDeclaration' }>['specifiers'][number]
type Expression = NonNullable<Extract<Statement, { type: 'VariableDeclaration' }>['declarations'][number]['init']>

/** Tables are objects with such a name. Other objects may be state, of which there can only be one. Rollup adds `$1` to equal names. */
const TABLE_NAME = /^[A-Z][A-Z\d_]*(\$\w+)?$/

const isPrimitive = (node: { type: string; argument?: { type: string } | null | undefined }): boolean =>
  node.type === 'Literal' || (node.type === 'UnaryExpression' && node.argument?.type === 'Literal')

/** A table of texts is read by variable keys, and would be in both scripts as a whole. */
const isTable = (node: Expression): boolean =>
  node.type === 'ObjectExpression' &&
  node.properties.every(
    (property) =>
      property.type === 'Property' &&
      !property.computed &&
      property.value.type === 'Literal' &&
      typeof property.value.value === 'number'
  )

/** Source text of a node. The types of ESTree do not have the positions. */
function textOf(source: string, node: object): string {
  const { start, end } = node as { start: number; end: number }
  return source.slice(start, end)
}

/** Replaces an `import` or `export` clause. */
function replaceClause(source: string, node: object, clause: string): string {
  const { start, end } = node as { start: number; end: number }
  return source.slice(0, start) + clause + source.slice(end)
}

const nameOf = (node: Specifier['exported']): string => (node.type === 'Identifier' ? node.name : String(node.value))

/** Returns the constants that a script exports, and the script without their exports. */
function takeConstants(source: string, { body }: ProgramNode): { constants: Constants; script: string } {
  const values = new Map<string, string>()
  for (const { id, init } of body.flatMap((node) => (node.type === 'VariableDeclaration' ? node.declarations : []))) {
    if (id.type !== 'Identifier' || !init) continue
    if (isPrimitive(init) || (TABLE_NAME.test(id.name) && isTable(init))) values.set(id.name, textOf(source, init))
  }
  const clause = body.find((node) => node.type === 'ExportNamedDeclaration')
  const constants = new Map<string, string>()
  const others: string[] = []
  for (const specifier of clause?.specifiers ?? []) {
    const value = values.get(nameOf(specifier.local))
    if (value === undefined) others.push(textOf(source, specifier))
    else constants.set(nameOf(specifier.exported), value)
  }
  if (!clause) return { constants, script: source }
  const exported = `export { ${others.join(', ')} };`
  return { constants, script: replaceClause(source, clause, exported) }
}

/** Declares the constants in a script that imports them. */
function declareConstants(source: string, { body }: ProgramNode, constants: Constants): string {
  const clause = body.find((node) => node.type === 'ImportDeclaration')
  if (!clause) return source
  const others: string[] = []
  const declarations: string[] = []
  for (const specifier of clause.specifiers) {
    const imported = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : ''
    const value = constants.get(imported)
    if (value === undefined) others.push(textOf(source, specifier))
    else declarations.push(`const ${specifier.local.name} = ${value};\n`)
  }
  const imports = `import { ${others.join(', ')} } from ${clause.source.raw};\n`
  return replaceClause(source, clause, imports + declarations.join(''))
}

/** The build step. It runs after the language packs, which replace sentences by their numbers. A script with a source map stays as it is. */
export function sharedConstants(): Plugin {
  let first: PromiseWithResolvers<Constants>
  return {
    name: 'shared-constants',
    renderStart() {
      first = Promise.withResolvers()
    },
    async renderChunk(source, { isEntry }, { sourcemap }, { chunks }) {
      if (sourcemap || Object.keys(chunks).length === 1) return null
      if (!isEntry) return { code: declareConstants(source, this.parse(source), await first.promise), map: null }
      const { constants, script } = takeConstants(source, this.parse(source))
      first.resolve(constants)
      return { code: script, map: null }
    }
  }
}
