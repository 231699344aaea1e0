// The first script shares its names with the later one through the global scope (bundler/minify.ts).
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type * as ESTree from 'estree'
import { parseAst } from 'rollup/parseAst'
import { suite } from 'uvu'
import { readBundle } from '../../firmware-pack/bundle-files.ts'
import { root } from './sources.ts'

const test = suite('global names')

const codeOf = (name: RegExp) =>
  readBundle(join(root, 'dist'))
    .find(({ path }) => name.test(path))
    ?.bytes.toString() ?? ''

/** Names that a pattern of a declaration binds. */
function boundNames(pattern: ESTree.Pattern): string[] {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((each) => boundNames(each.type === 'Property' ? each.value : each))
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap((each) => (each ? boundNames(each) : []))
  if (pattern.type === 'RestElement') return boundNames(pattern.argument)
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern.left)
  throw new Error(`a declaration with ${pattern.type}`)
}

/** Names that the statements of a script declare outside all functions. */
function declaredNames(code: string): string[] {
  return parseAst(code).body.flatMap((statement) => {
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
      return boundNames(statement.id)
    return statement.type === 'VariableDeclaration' ? statement.declarations.flatMap(({ id }) => boundNames(id)) : []
  })
}

test('no name of the first script hides one of the browser, whose names have three letters or more', () => {
  const names = declaredNames(codeOf(/^assets\/app-\w+\.js$/))
  assert.ok(names.length > 500, `${names.length} names`)
  assert.deepEqual(
    names.filter((name) => name.length > 2),
    []
  )
})

test('the first script is strict like a module, and neither script imports or exports what they share', () => {
  const [first, later] = [codeOf(/^assets\/app-\w+\.js$/), codeOf(/^assets\/later-\w+\.js$/)]
  assert.match(first, /^"use strict";/)
  assert.doesNotThrow(() => new Function(first), 'a classic script')
  assert.ok(parseAst(later).body.every(({ type }) => type !== 'ImportDeclaration'))
})

test.run()
