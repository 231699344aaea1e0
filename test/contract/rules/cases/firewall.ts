// Cases for rules of the firewall.
import * as rules from '../../../../contract/rules/firewall.ts'
import { NUL, repeat, table } from './table.ts'

table('firewallRemark', rules.firewallRemark, [
  ['', 'ok'],
  ['Monitoring, building 2', 'ok'],
  ['drop } add table inet x {', 'ok'],
  [repeat(64), 'ok'],
  [repeat(65), 'length 1..64'],
  ['two\nlines', 'characters'],
  [NUL, 'characters']
])

table('firewallSource', rules.firewallSource, [
  ['', 'ok'],
  ['192.168.1.7', 'ok'],
  ['192.168.1.0/24', 'ok'],
  ['2001:db8::1', 'ok'],
  ['2001:db8::/32', 'ok'],
  ['192.168.1.0/0', 'invalid'],
  ['192.168.1.0/33', 'invalid'],
  ['2001:db8::/129', 'invalid'],
  ['10.0.0.1-10.0.0.9', 'invalid'],
  ['10.0.0.1 accept', 'invalid'],
  ['lan', 'invalid'],
  ['fe80::1%eth0', 'invalid']
])

const isUnused = rules.unusedPorts([{ port: '80', protocol: 0 }])
table('unusedPorts', (port: string) => isUnused(port, { protocol: '0' }), [
  ['80', 'taken'],
  ['81', 'ok']
])
table('unusedPorts (other protocol)', (port: string) => isUnused(port, { protocol: '1' }), [['80', 'ok']])
table('unusedPorts (other source)', (port: string) => isUnused(port, { protocol: '0', source: '10.0.0.1' }), [
  ['80', 'ok']
])
