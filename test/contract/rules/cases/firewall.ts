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

const isUnused = rules.unusedPorts([{ port: '80', protocol: 0 }])
table('unusedPorts', (port: string) => isUnused(port, { protocol: '0' }), [
  ['80', 'taken'],
  ['81', 'ok']
])
table('unusedPorts (other protocol)', (port: string) => isUnused(port, { protocol: '1' }), [['80', 'ok']])
