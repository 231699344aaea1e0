import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { CALLS } from './calls.ts'
import { ENTITIES } from './entities.ts'
import { ERRORS } from './errors.ts'
import { documentFaults, roadmapEntries, rowFaults, type Sources, titlesOf } from './evidence.ts'
import { LIMITS } from './limits.ts'
import { closeObjects, createObjects } from './objects.ts'
import { PERMISSIONS } from './permissions.ts'
import { PRODUCT } from './product.ts'
import { checked, part, planned, type Row, type Section, tested } from './rows.ts'
import { RULES } from './rules.ts'
import { SCREENS } from './screens.ts'
import { STATES } from './states.ts'

const test = suite('specification')

const SECTIONS: readonly Section[] = [PRODUCT, SCREENS, ENTITIES, STATES, RULES, PERMISSIONS, CALLS, ERRORS, LIMITS]

const ROOT = resolve(import.meta.dirname, '../..')

function readText(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return undefined
  }
}

const sources: Sources = {
  testFile: (path) => readText(`test/${path}`),
  roadmap: readText('docs/roadmap.md') ?? '',
  specification: readText('docs/specification.md') ?? ''
}

test.before(createObjects)
test.after(closeObjects)

test('every row has one kind of evidence that exists, and no statement is repeated', () => {
  assert.deepEqual(rowFaults(SECTIONS, sources), [])
})

test('the document has a heading for each part of the tables, and the tables have rows for each heading', () => {
  assert.deepEqual(documentFaults(SECTIONS, sources), [])
})

for (const { number, title, parts } of SECTIONS)
  test(`the statements of section ${number}, ${title}, are true`, async () => {
    const failures: string[] = []
    for (const { rows } of parts)
      for (const { statement, check } of rows)
        try {
          await check?.()
        } catch (error) {
          failures.push(`${statement} ${error instanceof Error ? error.message : error}`)
        }
    assert.deepEqual(failures, [])
  })

const withRows = (...rows: Row[]): Section[] => [
  { number: 1, title: 'Product', file: 'product.ts', parts: [part('Purpose', ...rows)] }
]
const given: Sources = {
  testFile: (path) => (path === 'a.test.ts' ? "test('it works', () => {})" : undefined),
  roadmap: '## Works\n\n1. Old.\n\n## Next\n\n1. Cloud and\n   updates.\n2. NDI.\n\n## Known limits\n\n- None.\n',
  specification: '## 1. Product\n\n### Purpose\n\nRows: `test/specification/product.ts`.\n'
}

test('evidence that exists is accepted', () => {
  const rows = withRows(
    checked('It adds.', () => {}),
    tested('It works.', 'a.test.ts', 'it works'),
    planned('It updates.', 'Cloud and updates.')
  )
  assert.deepEqual(rowFaults(rows, given), [])
  assert.deepEqual(documentFaults(rows, given), [])
})

test('a row without evidence, or with two kinds of it, is a fault', () => {
  assert.match(rowFaults(withRows({ statement: 'It works.' }), given)[0] ?? '', /0 kinds of evidence$/)
  const both = { ...tested('It works.', 'a.test.ts', 'it works'), roadmap: 'NDI.' }
  assert.match(rowFaults(withRows(both), given)[0] ?? '', /2 kinds of evidence$/)
})

test('a test or a test file that does not exist any more is a fault', () => {
  assert.match(rowFaults(withRows(tested('It works.', 'a.test.ts', 'it work')), given)[0] ?? '', /has no test/)
  assert.match(rowFaults(withRows(tested('It works.', 'b.test.ts', 'it works')), given)[0] ?? '', /no file/)
})

test('an entry that is gone from the next steps of the roadmap is a fault', () => {
  for (const entry of ['Old.', 'Cloud', 'Updates.'])
    assert.match(rowFaults(withRows(planned('It updates.', entry)), given)[0] ?? '', /the roadmap has no entry/, entry)
})

test('a repeated or an empty statement is a fault', () => {
  const rows = withRows(planned('It has NDI.', 'NDI.'), planned('It has  ndi.', 'NDI.'), planned(' ', 'NDI.'))
  assert.deepEqual(
    rowFaults(rows, given).map((fault) => fault.split(': ').at(-1)),
    ['a duplicate', 'no statement']
  )
})

test('a part without a heading, a heading without a part, and a table that the document does not name are faults', () => {
  const [section] = withRows() as [Section]
  const changed = [{ ...section, file: 'other.ts', parts: [part('Other')] }]
  assert.deepEqual(documentFaults(changed, given), [
    'not in the document: Other',
    'not in the tables: Purpose',
    'the document does not name test/specification/other.ts'
  ])
})

test('titles are found in every notation, and entries of the roadmap across lines', () => {
  const source = `test('a', f)\n  hubTest(\n    "b's", f)\ntest(\`c $\{d}\`, f)\nnot('e')\n`
  assert.deepEqual(titlesOf(source), ['a', "b's", 'c {}'])
  assert.deepEqual(roadmapEntries(given.roadmap), ['Cloud and updates.', 'NDI.'])
})

test.run()
