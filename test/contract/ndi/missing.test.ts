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
  const settings = { ifaces: [], unusable: [] }
  assert.deepEqual(whyMissing('STUDIO (Cam 1)', { found, hasRuntime: true, settings }), [
    'ended',
    'group',
    'discovery-server'
  ])
  assert.deepEqual(whyMissing('STUDIO (Cam 1)', { found, hasRuntime: false, settings }), ['ended', 'runtime'])
  assert.deepEqual(whyMissing('HALL (Cam 1)', { found, hasRuntime: true, settings }), [
    'machine-off',
    'subnet',
    'group',
    'discovery-server',
    'firewall'
  ])
  assert.deepEqual(whyMissing('HALL (Cam 1)', { found, hasRuntime: false, settings }), [
    'machine-off',
    'subnet',
    'runtime',
    'firewall'
  ])
})

test('interfaces that are left out and settings that cannot be used may be the cause, but not without the runtime', () => {
  const found = ['STUDIO (Cam 2)']
  const settings = { ifaces: ['eth0', 'eth9'], unusable: ['eth9'] }
  const ofOther = whyMissing('HALL (Cam 1)', { found, hasRuntime: true, settings })
  assert.deepEqual(ofOther.slice(0, 4), ['machine-off', 'settings', 'interface', 'subnet'])
  const ofKnown = whyMissing('STUDIO (Cam 1)', { found, hasRuntime: true, settings })
  assert.deepEqual(ofKnown, ['ended', 'settings', 'group', 'discovery-server'])
  const withoutRuntime = whyMissing('HALL (Cam 1)', { found, hasRuntime: false, settings })
  assert.deepEqual(withoutRuntime, ['machine-off', 'subnet', 'runtime', 'firewall'])
})

test('a hub with IPv6 addresses alone finds no source, whatever else is known', () => {
  const settings = { ifaces: ['eth0'], unusable: ['nic9'] }
  for (const hasRuntime of [true, false])
    assert.deepEqual(whyMissing('HALL (Cam 1)', { found: [], hasRuntime, isIpv6Only: true, settings }), ['ipv6-only'])
})

test.run()
