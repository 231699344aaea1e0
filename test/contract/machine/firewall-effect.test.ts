import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  blocksAnyPort,
  openSources,
  opens,
  portsBlockedBy,
  touches
} from '../../../contract/machine/firewall/effect.ts'
import type { FirewallRule, FirewallSettings, HubFirewallPort } from '../../../contract/machine/firewall/firewall.ts'

const test = suite('effect of firewall settings')

const rule = (port: string, protocol: 0 | 1 | 2 = 0, enable = true): FirewallRule => ({
  port,
  protocol,
  remark: '',
  enable
})
const rules = (...list: FirewallRule[]): FirewallSettings => ({ mode: -1, rules: list })
const OPEN: FirewallSettings = { mode: 1, rules: [rule('1')] }
const BLOCKED: FirewallSettings = { mode: 0, rules: [rule('1-65535', 2)] }
const srt: HubFirewallPort = { port: 9000, protocol: 1, use: 'srt', label: 'SRT' }
const web: HubFirewallPort = { port: 80, protocol: 0, use: 'http', label: 'Console', 'is-console': true }
const ndi: HubFirewallPort = { port: 5960, 'last-port': 6059, protocol: 0, use: 'ndi', label: 'NDI' }

test('the rules count in their mode alone', () => {
  assert.deepEqual([opens(OPEN, srt), opens(BLOCKED, srt)], [true, false])
  assert.equal(opens(rules(rule('8990-9010', 1)), srt), true)
  assert.equal(opens(rules(rule('8990-9010', 2)), srt), true)
})

test('a rule of the other protocol, next to the port, or disabled opens nothing', () => {
  for (const other of [rule('9000', 0), rule('9001', 1), rule('8000-8999', 1), rule('9000', 1, false)])
    assert.equal(opens(rules(other), srt), false)
  assert.equal(touches(rule('9000', 1, false), srt), true)
})

test('several rules open a range together, and a gap leaves it blocked', () => {
  assert.equal(opens(rules(rule('6000-6100'), rule('5000-5999')), ndi), true)
  assert.equal(opens(rules(rule('6001-6100'), rule('5000-5999')), ndi), false)
})

test('ports of the console are never blocked', () => {
  assert.deepEqual(portsBlockedBy(OPEN, BLOCKED, [srt, web, ndi]), [srt, ndi])
  assert.deepEqual(portsBlockedBy(BLOCKED, BLOCKED, [srt]), [])
  assert.deepEqual(portsBlockedBy(rules(rule('9000', 1)), rules(rule('9000', 0)), [srt]), [srt])
})

test('a change that only opens ports blocks none, however its rules are written', () => {
  assert.equal(blocksAnyPort(rules(rule('80')), rules(rule('80'), rule('81'))), false)
  assert.equal(
    blocksAnyPort(rules(rule('80-90', 2)), rules(rule('80-85', 2), rule('86-90', 0), rule('86-99', 1))),
    false
  )
  assert.equal(blocksAnyPort(rules(rule('80-90', 2)), rules(rule('80-85', 2), rule('87-90', 2))), true)
  assert.equal(blocksAnyPort(rules(rule('80', 2)), rules(rule('80', 0))), true)
  assert.equal(blocksAnyPort(OPEN, rules(rule('1-65535', 2))), false)
  assert.equal(blocksAnyPort(OPEN, rules(rule('1-65534', 2))), true)
  assert.equal(blocksAnyPort(BLOCKED, OPEN), false)
  assert.equal(blocksAnyPort(OPEN, BLOCKED), true)
})

const from = (source: string, port = '9000'): FirewallRule => ({ ...rule(port, 1), source })

test('a rule with a source opens its ports for that source alone', () => {
  const lan = rules(from('192.168.1.0/24'))
  assert.equal(opens(lan, srt), false)
  for (const source of ['192.168.1.0/24', '192.168.1.7', '192.168.1.128/25']) assert.ok(opens(lan, srt, source), source)
  for (const source of ['192.168.2.7', '192.168.0.0/16', '2001:db8::1']) assert.ok(!opens(lan, srt, source), source)
  assert.deepEqual(openSources(lan, srt), ['192.168.1.0/24'])
  assert.deepEqual(openSources(rules(from('192.168.1.0/24'), rule('9000', 1)), srt), [])
  assert.deepEqual(openSources(OPEN, srt), [])
  assert.deepEqual(openSources(BLOCKED, srt), [])
  assert.deepEqual(portsBlockedBy(OPEN, lan, [srt]), [srt])
})

test('a network of IPv6 contains its addresses and smaller networks', () => {
  const lan = rules(from('2001:db8::/33'))
  for (const source of ['2001:db8::1', '2001:DB8:0:0::/64', '2001:db8:7fff::1'])
    assert.ok(opens(lan, srt, source), source)
  for (const source of ['2001:db8:8000::1', '2001:db8::/32', '192.168.1.7', '::1'])
    assert.ok(!opens(lan, srt, source), source)
})

test('a change that takes a source away blocks a port, and one that adds a source does not', () => {
  const [lan, host, other] = [rules(from('10.0.0.0/8')), rules(from('10.1.2.3')), rules(from('192.0.2.1'))]
  assert.equal(blocksAnyPort(rules(rule('9000', 1)), lan), true)
  assert.equal(blocksAnyPort(lan, rules(rule('9000', 1))), false)
  assert.equal(blocksAnyPort(lan, host), true)
  assert.equal(blocksAnyPort(host, lan), false)
  assert.equal(blocksAnyPort(lan, other), true)
  assert.equal(blocksAnyPort(lan, rules(from('10.0.0.0/8'), from('192.0.2.1'))), false)
  assert.equal(blocksAnyPort(lan, OPEN), false)
  assert.equal(blocksAnyPort(lan, BLOCKED), true)
})

test.run()
