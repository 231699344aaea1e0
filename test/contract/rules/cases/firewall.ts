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
