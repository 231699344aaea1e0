import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CALL_SCHEMAS } from '../../contract/calls.schema.ts'
import { listDeclaredCalls, nameOfCall } from '../../make/wire/declared-calls.ts'
import { startHub } from '../kit/hub/hub.ts'
import { projectFiles, textOf } from './sources.ts'

const test = suite('calls')

test('every call has a schema, and every schema a call', () => {
  const calls = listDeclaredCalls()
  assert.ok(calls.length > 20, 'the calls were not found')
  assert.deepEqual(calls.map(nameOfCall).sort(), Object.keys(CALL_SCHEMAS).sort())
})

test('no two calls have the same method and path', () => {
  const names = listDeclaredCalls().map(nameOfCall)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    []
  )
})

test('the hub handles every call of the contract', async () => {
  const hub = await startHub()
  try {
    const client = hub.client()
    const unanswered: string[] = []
    for (const call of listDeclaredCalls()) {
      const { status } = await client.raw(call.method, `/api${call.path}`)
      if (status === 404 || status === 405) unanswered.push(nameOfCall(call))
    }
    assert.deepEqual(unanswered, [])
  } finally {
    await hub.close()
  }
})

/** Whether a text uses a name as a value, not as a property or a part of another name. */
const usesName = (text: string, name: string) => new RegExp(`(?<![\\w$.'-])${name}(?![\\w$'-])(?!\\s*:)`).test(text)

/** The body of each exported function or constant of a source, by name. Comments are left out. */
function exportedBodies(text: string): [name: string, body: string][] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return code.split(/^(?=export |const |function )/m).flatMap((part) => {
    const name = /^export (?:async )?(?:function|const) (\w+)/.exec(part)?.[1]
    return name === undefined ? [] : ([[name, part]] as [string, string][])
  })
}

test('every rule has a caller that a user can meet, or is on the roadmap', () => {
  const isRuleFile = (path: string) => path.startsWith('contract/rules/')
  const files = projectFiles().filter((path) => /^(contract|src|hub|engine|tls)\/.*\.tsx?$/.test(path))
  const rules = new Map(files.filter(isRuleFile).flatMap((path) => exportedBodies(textOf(path))))
  assert.ok(rules.size > 50, 'the rules were not found')
  const importers = files.filter((path) => !isRuleFile(path)).map(textOf)
  const imported = importers
    .flatMap((text) => [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*'[^']*rules\/[\w-]+\.ts'/g)])
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().split(' as ')[0] ?? '')
  const called = new Set(imported.filter((name) => rules.has(name)))
  // A rule that a called rule uses is called, too.
  for (const name of called)
    for (const other of rules.keys()) if (other !== name && usesName(rules.get(name) ?? '', other)) called.add(other)
  const uncalled = [...rules.keys()].filter((name) => !called.has(name))
  assert.deepEqual(uncalled, [])
})

test.run()
