// Cases for NDI sources.
import * as ndi from '../../../../contract/rules/ndi.ts'
import { BACKWARDS, CHINESE, NUL, repeat, table } from './table.ts'

table('ndiSourceName', ndi.ndiSourceName, [
  ['', 'required'],
  ['STUDIO (Cam 1)', 'ok'],
  [CHINESE, 'ok'],
  [repeat(253), 'ok'],
  [repeat(254), 'length 1..253'],
  [NUL, 'characters'],
  [BACKWARDS, 'characters']
])

table('hostWithPort', ndi.hostWithPort, [
  ['', 'required'],
  ['10.0.0.9', 'ok'],
  ['10.0.0.9:5961', 'ok'],
  ['ndi.example.com:1', 'ok'],
  ['10.0.0.9:', 'required'],
  ['10.0.0.9:0', 'range 1..65535'],
  ['10.0.0.9:65536', 'range 1..65535'],
  ['10.0.0.9:1:2', 'invalid'],
  ['10.0.0', 'invalid'],
  ['-i', 'invalid']
])

table('ndiGroups', ndi.ndiGroups, [
  ['', 'required'],
  ['public', 'ok'],
  ['public,Stage 2', 'ok'],
  ['public,', 'invalid'],
  ['public, stage', 'invalid'],
  [' ', 'invalid'],
  [NUL, 'characters'],
  [repeat(253), 'ok'],
  [repeat(254), 'length 1..253']
])

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index + 1}`).join()

table('ndiExtraIps', ndi.ndiExtraIps, [
  ['', 'required'],
  ['10.0.0.9', 'ok'],
  ['cam.example.com', 'invalid'],
  ['10.0.0.9,', 'required'],
  ['10.0.0.9, 10.0.0.8', 'invalid'],
  [addresses(16), 'ok'],
  [addresses(17), 'invalid']
])

table('ndiDiscoveryServers', ndi.ndiDiscoveryServers, [
  ['', 'required'],
  ['ndi.example.com', 'ok'],
  ['10.0.0.8:5959,10.0.0.9', 'ok'],
  ['10.0.0.8:0', 'range 1..65535'],
  [addresses(3), 'invalid']
])
