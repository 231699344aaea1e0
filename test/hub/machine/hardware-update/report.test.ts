import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { WORDS_MAX } from '../../../../hub/machine/hardware-update/program.ts'
import { addLine, COMPONENT_MAX, EMPTY_REPORT } from '../../../../hub/machine/hardware-update/report.ts'

const test = suite('report of hardware updates')

const component = (id: string, fields: object = {}) =>
  JSON.stringify({ component: id, name: 'Front panel', version: '1.3', ...fields })
const read = (...lines: string[]) => lines.reduce(addLine, EMPTY_REPORT)

test('a component that is reported again replaces the first report, and the state stays', () => {
  const { state, components } = read(component('a'), component('b'), '{"state":2}', component('a', { version: '1.4' }))
  assert.equal(state, 2)
  assert.deepEqual(
    components.map(({ component: id, version }) => [id, version]),
    [
      ['a', '1.4'],
      ['b', '1.3']
    ]
  )
})

test('a state replaces component, progress and error of the one before', () => {
  const before = read('{"state":2,"component":"a","progress":50.7}')
  assert.deepEqual(before, { state: 2, component: 'a', progress: 50, components: [] })
  const failed = addLine(before, JSON.stringify({ state: -1, error: `a\n\u202eb${'x'.repeat(WORDS_MAX)}` }))
  assert.deepEqual([failed.state, failed.progress, failed.component], [-1, 0, undefined])
  assert.equal(failed.error, `a b${'x'.repeat(WORDS_MAX - 3)}`)
})

test('unknown fields are ignored, so that a newer program works with an older hub', () => {
  assert.deepEqual(Object.keys(read(component('a', { future: 1 })).components[0] ?? {}), [
    'component',
    'name',
    'version'
  ])
})

test('lines of another form are refused', () => {
  for (const line of [
    'ready',
    'null',
    '[]',
    '{}',
    '{"state":5}',
    '{"state":"2"}',
    '{"state":2,"progress":101}',
    '{"state":2,"component":"../a"}',
    component('a b'),
    component('a', { name: '' }),
    component('a', { name: '\u0007' }),
    component('a', { name: 'x'.repeat(65) }),
    component('a', { version: 14 }),
    component('a', { interrupts: 'some' })
  ])
    assert.throws(() => addLine(EMPTY_REPORT, line), Error, line)
})

test('64 components are kept, and one more is refused', () => {
  const all = read(...Array.from({ length: COMPONENT_MAX }, (_, index) => component(`c${index}`)))
  assert.equal(all.components.length, 64)
  assert.equal(addLine(all, component('c0')).components.length, 64)
  assert.throws(() => addLine(all, component('another')))
})

test.run()
