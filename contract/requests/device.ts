// Request schemas of the calls for devices.
import * as z from 'zod'
import { rebootDevices, renameDevice, startLive, startRecording, stopLive, stopRecording } from '../device/action.ts'
import { addDevice, setDeviceAddress } from '../device/address.ts'
import {
  acceptDevices,
  configureDevices,
  deleteDevices,
  getGlobalDevice,
  listDevices,
  listDevicesBySerial,
  queryDevice,
  rejectDevices,
  setDeviceSecurity,
  setFavorite,
  setGlobalDevice
} from '../device/device.ts'
import { BUFFER_MAX, BUFFER_MIN, LATENCY_MAX, LATENCY_MIN } from '../limits.ts'
import { dottedDeviceName, host } from '../rules/rules.ts'
import { PROTOCOL_DEFAULT, RTMP, SRT } from '../stream/protocols.ts'
import {
  defineSchema,
  emptyRequest,
  mark,
  mask,
  order,
  page,
  port,
  queryNumber,
  serial,
  serials,
  since,
  text,
  textRule,
  wholeNumber
} from './schema.ts'

const globalConfig = { 'global-config': queryNumber(0, 1) }

defineSchema(
  listDevices,
  z.object({
    ...page,
    'reg-state': z.enum(['accepted', 'rejected', 'waiting']).optional(),
    catalog: queryNumber(0, 1e9),
    module: queryNumber(0, 4294967295),
    dir: z.enum(['none', 'input', 'output']).optional(),
    status: z
      .string()
      .regex(/^(dev-warns|offline|warns|online)(,(dev-warns|offline|warns|online)){0,3}$/)
      .optional(),
    'is-favorite': queryNumber(0, 1),
    key: text.optional(),
    firmware: queryNumber(0, 1e9),
    sort: z.enum(['online-state', 'sn', 'name', 'time', 'module', 'connect-ip', 'firmware-ver']).optional(),
    order,
    since,
    mark,
    ...globalConfig
  })
)
defineSchema(listDevicesBySerial, serials)
defineSchema(queryDevice, z.object({ sn: serial, ...globalConfig }))
defineSchema(acceptDevices, serials)
defineSchema(rejectDevices, serials)
defineSchema(deleteDevices, serials)

export const masks = { 'group-mask': mask, 'usr-mask': mask }
const isInherit = z.union([z.boolean(), z.int().min(0).max(1)])
/** Visibility of an object. Masks are optional if it inherits. */
export const security = z.union([
  z.object({ 'is-inherit': isInherit, ...masks }),
  z.object({ 'is-inherit': z.union([z.literal(true), z.literal(1)]) })
])
defineSchema(setDeviceSecurity, z.object({ sn: z.union([serial, z.array(serial).min(1).max(1000)]), security }))
defineSchema(getGlobalDevice, emptyRequest)

const protocol = z.literal([PROTOCOL_DEFAULT, RTMP, SRT])
const latency = wholeNumber(LATENCY_MIN, LATENCY_MAX).optional()
const config = z.object({
  input: z.object({ protocol, 'stream-index': z.literal([0, 1]), latency }).optional(),
  output: z.object({ protocol, latency, 'buffer-ms': wholeNumber(BUFFER_MIN, BUFFER_MAX).optional() }).optional()
})
defineSchema(configureDevices, serials.extend({ config }))
defineSchema(
  setGlobalDevice,
  z
    .object({ security: z.object(masks).optional(), config: config.optional() })
    .refine((request) => request.security ?? request.config, { path: ['security'] })
)

for (const call of [rebootDevices, startRecording, stopRecording, startLive, stopLive]) defineSchema(call, serials)
// The wider rule of all families; the handler applies the rule of the device's family.
defineSchema(renameDevice, z.object({ sn: serial, name: textRule(dottedDeviceName) }))

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
defineSchema(
  addDevice,
  z.object({
    address,
    user,
    password,
    port: port.optional(),
    https: z.boolean().optional(),
    module: z.int().min(0).max(4294967295).optional()
  })
)
defineSchema(
  setDeviceAddress,
  z.object(addressFields).partial().extend({ sn: serial, 'forget-cert': z.boolean().optional() })
)
defineSchema(setFavorite, serials.extend({ favorite: z.boolean() }))
