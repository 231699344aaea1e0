// Cases for the network interfaces of the machine.
import {
  firstNameServer,
  interfaceAddress,
  interfaceGateway,
  interfaceLabel,
  interfaceMask,
  interfaceMtu,
  mtu,
  secondNameServer,
  ssid,
  vlanId,
  wifiPassword,
  wifiSecurity
} from '../../../../contract/rules/interface.ts'
import { BACKWARDS, NUL, repeat, table } from './table.ts'

table('interfaceMask', interfaceMask, [
  ['', 'required'],
  ['255.255.255.0', 'ok'],
  ['255.255.255.254', 'ok'],
  ['255.255.255.255', 'invalid'],
  ['255.0.255.0', 'invalid']
])

table('interfaceAddress(255.255.255.0)', (value: string) => interfaceAddress(value, { netmask: '255.255.255.0' }), [
  ['', 'required'],
  ['192.168.1.7', 'ok'],
  ['192.168.1.0', 'range 192.168.1.1..192.168.1.254'],
  ['192.168.1.255', 'range 192.168.1.1..192.168.1.254'],
  ['127.0.0.5', 'invalid'],
  ['224.0.0.1', 'invalid'],
  ['255.255.255.255', 'invalid'],
  ['192.168.1', 'invalid']
])

// A line between two machines has no network and broadcast address (RFC 3021).
table('interfaceAddress(255.255.255.254)', (value: string) => interfaceAddress(value, { netmask: '255.255.255.254' }), [
  ['10.0.0.0', 'ok'],
  ['10.0.0.1', 'ok']
])

// The mask has a fault of its own.
table('interfaceAddress(no mask)', (value: string) => interfaceAddress(value, { netmask: '' }), [
  ['192.168.1.0', 'ok'],
  ['x', 'invalid']
])

const SUBNET = { ipaddr: '192.168.1.7', netmask: '255.255.255.0' }
table('interfaceGateway(192.168.1.7/24)', (value: string) => interfaceGateway(value, SUBNET), [
  ['', 'ok'],
  ['192.168.1.1', 'ok'],
  ['192.168.2.1', 'range 192.168.1.1..192.168.1.254'],
  ['192.168.1.255', 'range 192.168.1.1..192.168.1.254'],
  ['192.168.1.7', 'same'],
  ['gateway', 'invalid']
])

table('firstNameServer', firstNameServer, [
  ['', 'ok'],
  ['9.9.9.9', 'ok'],
  ['dns.example', 'invalid']
])

table('secondNameServer(9.9.9.9)', (value: string) => secondNameServer(value, { dns1: '9.9.9.9' }), [
  ['', 'ok'],
  ['1.1.1.1', 'ok'],
  ['9.9.9.9', 'same'],
  ['9.9.9', 'invalid']
])

table('secondNameServer(no first)', (value: string) => secondNameServer(value, { dns1: '' }), [
  ['', 'ok'],
  ['1.1.1.1', 'invalid']
])

table('mtu', mtu, [
  ['0', 'ok'],
  ['576', 'ok'],
  ['9216', 'ok'],
  ['575', 'range 576..9216'],
  ['9217', 'range 576..9216'],
  ['', 'required'],
  ['1500.5', 'number']
])

table('interfaceMtu(auto)', (value: string) => interfaceMtu(value, 'auto'), [
  ['0', 'ok'],
  ['1280', 'ok'],
  ['9216', 'ok'],
  ['1279', 'range 1280..9216'],
  ['9217', 'range 576..9216']
])

table('interfaceMtu(off)', (value: string) => interfaceMtu(value, 'off'), [
  ['576', 'ok'],
  ['575', 'range 576..9216']
])

table('vlanId', vlanId, [
  ['1', 'ok'],
  ['4094', 'ok'],
  ['0', 'range 1..4094'],
  ['4095', 'range 1..4094'],
  ['', 'required']
])

table('interfaceLabel', interfaceLabel, [
  ['', 'ok'],
  ['Control 控制', 'ok'],
  [repeat(32), 'ok'],
  [repeat(33), 'length 0..32'],
  [' a', 'outer-space'],
  [NUL, 'characters'],
  [BACKWARDS, 'characters']
])

table('ssid', ssid, [
  ['', 'required'],
  ['Studio 1', 'ok'],
  [repeat(32), 'ok'],
  [repeat(33), 'length 1..32'],
  // 10 and 11 characters of three bytes.
  [repeat(10, '中'), 'ok'],
  [repeat(11, '中'), 'length 1..32'],
  [NUL, 'characters']
])

table('wifiSecurity(network)', (value: string) => wifiSecurity(value, {}), [
  ['open', 'ok'],
  ['wpa2', 'ok']
])

table('wifiSecurity(hotspot)', (value: string) => wifiSecurity(value, { hotspot: true }), [
  ['open', 'invalid'],
  ['wpa2', 'ok'],
  ['wpa3', 'ok']
])

table('wifiPassword', wifiPassword, [
  ['', 'required'],
  [repeat(8), 'ok'],
  [repeat(63), 'ok'],
  [repeat(7), 'length 8..63'],
  [repeat(64), 'length 8..63'],
  ['pass word', 'ok'],
  ['密码密码密码密码', 'characters']
])
