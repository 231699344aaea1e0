import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { findCycles, findSiblingCycles, importFaults } from './order.ts'
import { importsOf, projectImports, resolvedImports } from './sources.ts'

const test = suite('import order')

/** The fault of one import; empty when there is none. */
const faultOf = (from: string, to: string) => importFaults([{ from, to }]).join()

test('imports are found in every syntax', () => {
  const text = [
    "import a from './a.ts'",
    "import { b, type B } from '../b.ts'",
    "import type { C } from './c.ts'",
    'import {\n  d,\n  e as f\n} from "./d.ts"',
    "import * as g from './g.ts'",
    "export { h } from './h.ts'",
    "import './style.css'",
    "const late = await import('./late.ts')",
    "// import { no } from './comment.ts'",
    "const x = Array.from('abc')",
    "const text = 'import of nothing'"
  ].join('\n')
  const specifiers = ['./a.ts', '../b.ts', './c.ts', './d.ts', './g.ts', './h.ts', './style.css', './late.ts']
  assert.deepEqual(importsOf(text).sort(), specifiers.sort())
  assert.deepEqual(resolvedImports('src/ui/x.ts', "import '../text/y.ts'"), [
    { from: 'src/ui/x.ts', to: 'src/text/y.ts' }
  ])
  assert.deepEqual(
    resolvedImports('hub/x.ts', "import 'node:fs'\nimport 'zod'").map(({ to }) => to),
    ['node:fs', 'npm:zod']
  )
})

test('a layer imports itself and the layers before it', () => {
  for (const [from, to] of [
    ['src/link/send.ts', 'contract/call.ts'],
    ['src/link/send.ts', 'src/link/polling.ts'],
    ['src/screens/login/form.tsx', 'src/ui/button.tsx'],
    ['src/screens/login/form.tsx', 'src/screens/login/store.ts'],
    ['src/frame/routes.tsx', 'src/screens/login/form.tsx'],
    ['hub/handlers/device/device.ts', 'hub/auth/gate.ts'],
    ['engine/engine.ts', 'node:fs'],
    ['fleet/process/device.ts', 'contract/device/link.ts'],
    ['contract/qr.schema.ts', 'npm:zod'],
    ['src/ui/table/table.tsx', 'npm:react'],
    ['test/src/x.test.ts', 'hub/hub.ts']
  ] as const)
    assert.equal(faultOf(from, to), '')
})

test('an import against the order is reported', () => {
  for (const [from, to, why] of [
    ['src/ui/table/table.tsx', 'src/link/send.ts', /against the order/],
    ['src/link/send.ts', 'src/state/session.ts', /against the order/],
    ['src/state/session.ts', 'src/screens/login/store.ts', /against the order/],
    ['src/screens/login/form.tsx', 'src/screens/channel/store.ts', /screens/],
    ['src/paths.ts', 'src/text/say.ts', /paths/],
    ['src/odd.ts', 'src/ui/table/table.tsx', /no layer/],
    ['src/link/send.ts', 'contract/calls.schema.ts', /only types/],
    ['src/link/send.ts', 'contract/access/user.schema.ts', /only types/],
    ['src/link/send.ts', 'hub/auth/gate.ts', /does not import hub/],
    ['hub/store/users.ts', 'hub/auth/gate.ts', /against the order/],
    ['hub/handlers/device/device.ts', 'hub/hub.ts', /against the order/],
    ['hub/hub.ts', 'src/paths.ts', /does not import src/],
    ['fleet/process/device.ts', 'hub/auth/gate.ts', /does not import hub/],
    ['contract/rules/rules.ts', 'hub/auth/gate.ts', /does not import hub/],
    ['contract/rules/rules.ts', 'npm:zod', /not allowed in contract/],
    ['contract/rules/rules.ts', 'node:fs', /not allowed in contract/],
    ['src/ui/chart/chart.tsx', 'npm:uplot', /not allowed in src/],
    ['hub/auth/gate.ts', 'test/kit/hub/hub.ts', /does not import test/]
  ] as const)
    assert.match(faultOf(from, to), why)
})

test('cycles of any length are found', () => {
  const edge = (from: string, to: string) => ({ from, to })
  assert.deepEqual(findCycles([edge('a', 'b'), edge('a', 'c'), edge('b', 'c')]), [])
  assert.deepEqual(findCycles([edge('a', 'a')]), [['a', 'a']])
  assert.deepEqual(findCycles([edge('a', 'b'), edge('b', 'c'), edge('c', 'b')]), [['b', 'c', 'b']])
})

test('sibling folders that import each other are found, at any depth', () => {
  const edge = (from: string, to: string) => ({ from, to })
  assert.deepEqual(findSiblingCycles([edge('hub/a/x.ts', 'hub/b/y.ts'), edge('hub/b/c/z.ts', 'hub/a/w.ts')]), [
    'hub: a <-> b'
  ])
  assert.deepEqual(findSiblingCycles([edge('hub/a/x.ts', 'hub/b/y.ts'), edge('hub/b/y.ts', 'hub/c/z.ts')]), [])
  // A file of the parent is not a sibling folder, nor is a package.
  assert.deepEqual(findSiblingCycles([edge('hub/a/x.ts', 'hub/y.ts'), edge('hub/y.ts', 'hub/a/x.ts')]), [])
  assert.deepEqual(findSiblingCycles([edge('hub/a/x.ts', 'npm:zod')]), [])
})

test('the project follows the import order', () => {
  const imports = projectImports()
  assert.ok(imports.length > 100, 'the imports were not found')
  assert.deepEqual(importFaults(imports), [])
})

test('the project has no import cycle', () => {
  assert.deepEqual(
    findCycles(projectImports()).map((files) => files.join(' -> ')),
    []
  )
})

test('no two sibling folders import each other', () => {
  assert.deepEqual(findSiblingCycles(projectImports()), [])
})

test.run()
