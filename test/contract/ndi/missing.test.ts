import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { machineOf, sourceNameOf, whyMissing } from '../../../contract/ndi/missing.ts'

const test = suite('missing NDI sources')

test('a name consists of the machine and the source', () => {
  for (const [name, machine, source] of [
    ['STUDIO (Cam 1)', 'STUDIO', 'Cam 1'],
    ['STUDIO 2 (Cam (left))', 'STUDIO 2', 'Cam (left)'],
    ['演播室 (主)', '演播室', '主'],
    ['CAMERA', 'CAMERA', 'CAMERA'],
    ['(Cam)', '(Cam)', '(Cam)']
  ] as const)
    assert.deepEqual([machineOf(name), sourceNameOf(name)], [machine, source], name)
})

test('a source of a machine that is found has ended or is searched in another place; else network and firewall may be the cause', () => {
  const found = ['STUDIO (Cam 2)', 'FOYER (Cam 1)']
  assert.deepEqual(whyMissing('STUDIO (Cam 1)', { found, hasRuntime: true }), ['ended', 'group', 'discovery-server'])
  assert.deepEqual(whyMissing('STUDIO (Cam 1)', { found, hasRuntime: false }), ['ended', 'runtime'])
  assert.deepEqual(whyMissing('HALL (Cam 1)', { found, hasRuntime: true }), [
    'machine-off',
    'subnet',
    'group',
    'discovery-server',
    'firewall'
  ])
  assert.deepEqual(whyMissing('HALL (Cam 1)', { found, hasRuntime: false }), [
    'machine-off',
    'subnet',
    'runtime',
    'firewall'
  ])
})

test.run()
