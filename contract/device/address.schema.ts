// Schemas of device/address.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  AUTH_FAILED,
  BAD_ADDRESS,
  CLIENT_NOT_EXIST,
  CONN_REFUSED,
  INVALID_DATA,
  LICENSE_LIMIT,
  NAME_EXISTS,
  NO_RESPONSE,
  NOT_EXIST,
  TOO_MANY,
  UNSUPPORTED,
  VERIFY_FAILED
} from '../codes.ts'
import { port, serial, textRule } from '../fields.schema.ts'
import { dryRun } from '../off-air.schema.ts'
import { host } from '../rules/rules.ts'

/** User name or password of a device. No control characters, which could end an HTTP header or a query string. */
const credential = z
  .string()
  .min(1)
  .max(64)
  .regex(/^\P{Cc}*$/u)

const addressFields = {
  address: textRule(host),
  port,
  https: z.boolean(),
  user: credential,
  password: credential
}

const { address, user, password } = addressFields

/** Address of a device. Its user name and password are write-only. */
export const DeviceAddress = z.object({
  address: z.string().describe('IPv4 or IPv6 address, or domain'),
  port: z.int().describe('Port of its API, 1-65535'),
  https: z.boolean().describe('Whether the hub connects over HTTPS'),
  'rtmp-port': z
    .int()
    .optional()
    .describe('RTMP port of a server that does not tell it, 1935 unless it was set. Absent for all others'),
  'cert-sha256': z
    .string()
    .optional()
    .describe(
      'SHA-256 of the certificate in hex. Devices have self-signed certificates, so the hub trusts the first one it sees and refuses any other until it is set'
    ),
  'new-cert-sha256': z
    .string()
    .optional()
    .describe('With `trouble` 40: the certificate that the device has now. No call is sent to the device'),
  trouble: z
    .number()
    .optional()
    .describe(
      'Result code of the last connection attempt; absent if it succeeded. 36 login refused; 40 another certificate; 10006 another device at this address; 44 connection refused; 47 no response, or unknown host; 49 invalid response'
    )
})

export type DeviceAddress = z.infer<typeof DeviceAddress>

const addressErrors = {
  [NAME_EXISTS]: 'serial number registered',
  [BAD_ADDRESS]: 'forbidden address',
  [TOO_MANY]: '1000 devices',
  [LICENSE_LIMIT]: '',
  [AUTH_FAILED]: 'as in `trouble`',
  [VERIFY_FAILED]: 'as in `trouble`',
  [CONN_REFUSED]: 'as in `trouble`',
  [NO_RESPONSE]: 'as in `trouble`',
  [INVALID_DATA]: 'as in `trouble`'
}

export const addressSchemas = {
  'POST /device/add': {
    summary:
      'Signs in to a device, camera or streaming server, identifies it, and adds it as accepted. A device that fails is not stored. The login is sent once, and only to what answers as one of them.',
    operation: ['Add device', '添加设备'],
    request: z.object({
      address: address.describe('IPv4 or IPv6 address, or domain'),
      user: user
        .optional()
        .describe(
          'plain text, because each API generation uses another hash of the password; 1-64 characters; default: none, for servers without login'
        ),
      password: password.optional().describe('plain text, 1-64 characters'),
      port: port.optional().describe('80; with HTTPS 443'),
      https: z.boolean().optional(),
      module: z.int().min(0).max(4294967295).optional().describe('family, if known')
    }),
    response: z.object({
      id: z.int(),
      sn: z.string()
    }),
    errors: addressErrors,
    source: 'own',
    examples: [
      { address: '192.0.2.7' },
      { address: 'encoder.example.org', port: 8443, https: true, user: 'a b', password: 'ü', module: 4278190080 }
    ]
  },
  'POST /device/set': {
    summary:
      'Changes the address or login of a device; absent fields are not changed. The hub tests the connection before it stores the change; errors as with `addDevice`, and 10006 if another device is at this address. A new address requires the password, because the hub does not send the stored one to another address.',
    operation: ['Edit device', '编辑设备'],
    request: z
      .object(addressFields)
      .partial()
      .extend({
        sn: serial,
        'cert-sha256': z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .optional()
          .describe('trusts this certificate, and no other'),
        'rtmp-port': port.optional().describe('see `at`; without effect on other devices and on existing inputs'),
        'forget-cert': z.boolean().optional().describe('resets the certificate: trusts the next one'),
        ...dryRun
      }),
    requestNote: 'the password is required with a new address, port, scheme or user',
    errors: {
      ...addressErrors,
      [NOT_EXIST]: '',
      [UNSUPPORTED]: 'device with a link',
      [CLIENT_NOT_EXIST]: 'another device is at this address'
    },
    source: 'own',
    examples: [
      { sn: 'B313210600123' },
      { sn: 'B3', address: '192.0.2.7', port: 80, https: false, user: 'Admin', password: 'x', 'forget-cert': true },
      { sn: 'B3', 'cert-sha256': '0123456789abcdef'.repeat(4) }
    ]
  }
} satisfies CallSchemas
