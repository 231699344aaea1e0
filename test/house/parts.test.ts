import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { partFaults } from './parts.ts'
import { projectFiles, textOf } from './sources.ts'

const test = suite('parts')

const letters = [...'ABCDEFGHIJKLM']
const imports = letters.map((name) => `import type { ${name} } from '../${name.toLowerCase()}/part.ts'`).join('\n')
const fields = (names: readonly string[]) => names.map((name) => `  readonly ${name.toLowerCase()}: ${name}`).join('\n')

test('a type that names thirteen parts of the hub is found, whether it is an interface or a class', () => {
  for (const kind of ['interface', 'export class'])
    assert.deepEqual(partFaults('hub/handlers/all.ts', `${imports}\n${kind} Everything {\n${fields(letters)}\n}\n`), [
      'hub/handlers/all.ts: Everything names 13 parts of the hub, but at most 12 are allowed'
    ])
  assert.deepEqual(
    partFaults('hub/handlers/all.ts', `${imports}\ninterface Twelve {\n${fields(letters.slice(1))}\n}\n`),
    []
  )
})

test('fields of data, and parts of the own folder, do not count', () => {
  const data = letters.map((name) => `  ${name.toLowerCase()}: string`).join('\n')
  assert.deepEqual(partFaults('hub/store/row.ts', `${imports}\nexport interface Row {\n${data}\n}\n`), [])
  const own = imports.replace(/\.\.\/\w\//g, './')
  assert.deepEqual(partFaults('hub/store/store.ts', `${own}\nexport interface Store {\n${fields(letters)}\n}\n`), [])
})

test('no type of the hub names all of its parts', () => {
  const files = projectFiles().filter((path) => path.startsWith('hub/') && path.endsWith('.ts'))
  assert.ok(files.length > 100, 'the files were not found')
  assert.deepEqual(
    files.flatMap((path) => partFaults(path, textOf(path))),
    []
  )
})

test.run()
