// Cases for rules of further addresses and static routes.
import * as rules from '../../../../contract/rules/addressing.ts'
import { table } from './table.ts'

table('furtherAddress', rules.furtherAddress, [
  ['192.168.2.7/24', 'ok'],
  ['10.1.2.3/32', 'ok'],
  ['192.168.2.7', 'invalid'],
  ['192.168.2.0/24', 'range 192.168.2.1..192.168.2.254'],
  ['192.168.2.255/24', 'range 192.168.2.1..192.168.2.254'],
  ['127.0.0.1/8', 'invalid'],
  ['224.0.0.1/24', 'invalid'],
  ['192.168.2.7/33', 'invalid'],
  ['192.168.2.7/24/1', 'invalid'],
  ['192.168.2.7/24; reboot', 'invalid']
])

const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index}.1/24`)
table('furtherAddresses', (list: string[]) => rules.furtherAddresses(list, '192.168.1.7'), [
  [[], 'ok'],
  [['192.168.2.7/24', '192.168.3.7/24'], 'ok'],
  [many(8), 'ok'],
  [many(9), 'invalid'],
  [['192.168.1.7/24'], 'same'],
  [['192.168.2.7/24', '192.168.2.7/25'], 'same'],
  [['x'], 'invalid']
])

const networks = ['192.168.1.7/24', '192.168.2.7/24']
const route = (text: string, of: string[] | undefined = networks) => rules.staticRoutes(rules.parseRoutes(text), of)
table('staticRoutes', (text: string) => route(text), [
  ['', 'ok'],
  ['10.0.0.0/8 via 192.168.1.254', 'ok'],
  ['10.0.0.0/8 via 192.168.1.254, 172.16.0.0/12  via  192.168.2.1', 'ok'],
  ['10.1.2.3 via 192.168.1.254', 'ok'],
  ['10.0.0.0/8 via 192.168.9.1', 'invalid'],
  ['10.0.0.1/8 via 192.168.1.254', 'invalid'],
  ['0.0.0.0/0 via 192.168.1.254', 'invalid'],
  ['127.0.0.0/8 via 192.168.1.254', 'invalid'],
  ['224.0.0.0/4 via 192.168.1.254', 'invalid'],
  ['10.0.0.0/8', 'required'],
  ['10.0.0.0/8 via x', 'invalid'],
  ['10.0.0.0/8 via 192.168.1.1, 10.0.0.0/8 via 192.168.1.2', 'same'],
  [Array.from({ length: 17 }, (_, index) => `10.${index}.0.0/16 via 192.168.1.1`).join(), 'invalid']
])
table('staticRoutes (with DHCP)', (text: string) => rules.staticRoutes(rules.parseRoutes(text), undefined), [
  ['10.0.0.0/8 via 192.168.9.1', 'ok']
])
