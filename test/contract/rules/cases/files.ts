// Cases for files and schedules.
import * as file from '../../../../contract/rules/file.ts'
import * as schedule from '../../../../contract/rules/schedule.ts'
import { LONG, NUL, repeat, table } from './table.ts'

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
const KEY = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'

table('trustedCertificates', file.trustedCertificates, [
  ['', 'required'],
  [PEM, 'ok'],
  [`text\r\n${PEM}\n\n${PEM}\n`, 'ok'],
  [PEM.slice(0, -1), 'certificate'],
  ['AAAA', 'certificate'],
  [KEY, 'certificate'],
  [`${PEM}\n${KEY}`, 'certificate'],
  [PEM + repeat(16_384 - PEM.length, '\n'), 'ok'],
  [PEM + repeat(16_385 - PEM.length, '\n'), 'length 1..16384']
])

table('firmwareFile', file.firmwareFile, [
  ['', 'required'],
  ['ultra_stream_sdi_rev_a_1_5_79.mwf', 'ok'],
  ['a.MWF', 'ok'],
  ['.mwf', 'file'],
  ['a.mwf.zip', 'file'],
  ['a.bin', 'file'],
  ['amwf', 'file'],
  ['a.mwf ', 'file'],
  ['a.mwf\n', 'file'],
  ['a.mwf\0', 'file'],
  ['../.mwf', 'file'],
  [`${LONG}.mwf`, 'ok'],
  [LONG, 'file']
])

table('freeSpace', file.freeSpace, [
  [0, 'space 50'],
  [52_428_799, 'space 50'],
  [52_428_800, 'ok'],
  [1e12, 'ok']
])

const byId = { 'product-id': 787, 'product-name': '', 'hardware-ver': 'A' }
const byName = { 'product-id': 0, 'product-name': 'ultra stream sdi', 'hardware-ver': 'A' }

table(
  'compatibleWith(device)',
  file.compatibleWith({ 'product-id': 787, 'module-name': 'Ultra Stream SDI', 'hardware-ver': 'A' }),
  [
    [byId, 'ok'],
    [byName, 'ok'],
    [{ ...byId, 'product-id': 788 }, 'model'],
    [{ ...byId, 'hardware-ver': 'B' }, 'model'],
    [{ ...byName, 'product-name': 'ultra stream hdmi' }, 'model'],
    [{ ...byName, 'hardware-ver': 'B' }, 'model']
  ]
)

const BODY = 'MIIBszCCAVmgAwIBAgIU\nQUJD+/==\n'
const pem = (label: string, body = BODY, last = label) => `-----BEGIN ${label}-----\n${body}-----END ${last}-----\n`

table('certificate', file.certificate, [
  ['', 'required'],
  [pem('CERTIFICATE'), 'ok'],
  [pem('CERTIFICATE').replaceAll('\n', '\r\n'), 'ok'],
  [pem('CERTIFICATE').trimEnd(), 'ok'],
  [pem('CERTIFICATE') + pem('CERTIFICATE'), 'ok'],
  [`subject=CN = hub\n\n${pem('CERTIFICATE')}`, 'ok'],
  [pem('PRIVATE KEY'), 'certificate'],
  [pem('CERTIFICATE REQUEST'), 'certificate'],
  [pem('CERTIFICATE', BODY, 'PRIVATE KEY'), 'certificate'],
  ['-----BEGIN CERTIFICATE-----\n', 'certificate'],
  [`-----BEGIN CERTIFICATE-----\n${pem('CERTIFICATE')}`, 'certificate'],
  ['-----END CERTIFICATE-----\n', 'certificate'],
  [pem('CERTIFICATE', 'not base64!\n'), 'certificate'],
  [pem('CERTIFICATE', 'QUJD\0\n'), 'certificate'],
  [BODY, 'certificate'],
  ['0\x82\x01\n', 'certificate'],
  [LONG, 'certificate'],
  [pem('CERTIFICATE', repeat(1000, `${repeat(64, 'A')}\n`)), 'ok'],
  [pem('CERTIFICATE', repeat(1010, `${repeat(64, 'A')}\n`)), 'certificate'],
  [repeat(2000, '-----BEGIN '), 'certificate']
])

table('privateKey', file.privateKey, [
  ['', 'required'],
  [pem('PRIVATE KEY'), 'ok'],
  [pem('RSA PRIVATE KEY'), 'ok'],
  [pem('EC PRIVATE KEY'), 'ok'],
  [pem('CERTIFICATE') + pem('PRIVATE KEY'), 'ok'],
  [pem('ENCRYPTED PRIVATE KEY'), 'private-key'],
  [pem('RSA PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\n\n${BODY}`), 'private-key'],
  [pem('PUBLIC KEY'), 'private-key'],
  [pem('CERTIFICATE'), 'private-key'],
  ['-----BEGIN PRIVATE KEY-----', 'private-key'],
  [NUL, 'private-key'],
  [LONG, 'private-key']
])

table('scheduleDateTime', schedule.scheduleDateTime, [
  ['', 'required'],
  ['2026-11-22T09:30', 'ok'],
  ['2028-02-29T00:00', 'ok'],
  ['2026-02-29T00:00', 'invalid'],
  ['2026-11-22T24:00', 'invalid'],
  ['2026-11-22 09:30', 'invalid'],
  ['22.11.2026T09:30', 'invalid']
])

table('eventOrder', (stop) => schedule.eventOrder({ start: '2026-11-22T09:30', stop }), [
  ['2026-11-22T09:31', 'ok'],
  ['2026-11-22T09:30', 'order'],
  ['2026-11-21T10:00', 'order']
])

table('scheduleTime', schedule.scheduleTime, [
  ['', 'required'],
  ['00:00', 'ok'],
  ['23:59', 'ok'],
  ['24:00', 'invalid'],
  ['09:60', 'invalid'],
  ['9:00', 'invalid'],
  ['09:00:00', 'invalid'],
  [' 09:00', 'invalid'],
  ['09.00', 'invalid'],
  [NUL, 'invalid']
])

const RULE = { days: 31, start: '08:00', stop: '17:30' }
const inZone = (...rules: (typeof RULE)[]) => ({ zone: 'UTC', rules })

table('scheduleRules', schedule.scheduleRules, [
  [inZone(), 'ok'],
  [inZone(RULE, RULE), 'ok'],
  [inZone(RULE, { ...RULE, days: 0 }), 'required'],
  [inZone({ ...RULE, start: '' }, RULE), 'required'],
  [inZone({ ...RULE, stop: '' }), 'required']
])

table('slotFaults', (slot) => schedule.slotFaults({ ...RULE, ...(slot as object) }).stop, [
  [{}, 'ok'],
  [{ stop: '' }, 'required'],
  [{ start: '18:00' }, 'ok'],
  [{ days: undefined, stop: '07:00' }, 'order']
])

table('timeZone', schedule.timeZone, [
  ['', 'required'],
  ['Europe/Berlin', 'ok'],
  ['Asia/Shanghai', 'ok'],
  ['UTC', 'ok'],
  ['Europe/Nowhere', 'invalid'],
  ['+02:00', 'invalid'],
  ['Europe/Berlin ', 'invalid'],
  [NUL, 'invalid'],
  [LONG, 'invalid']
])
