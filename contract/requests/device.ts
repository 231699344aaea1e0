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
  mark,
  mask,
  nothing,
  order,
  page,
  port,
  queryNumber,
  ruled,
  serial,
  serials,
  shape,
  since,
  text,
  wholeNumber
} from './shape.ts'

const globalConfig = { 'global-config': queryNumber(0, 1) }

shape(
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
shape(listDevicesBySerial, serials)
shape(queryDevice, z.object({ sn: serial, ...globalConfig }))
shape(acceptDevices, serials)
shape(rejectDevices, serials)
shape(deleteDevices, serials)

const masks = { 'group-mask': mask, 'usr-mask': mask }
const inherits = z.union([z.boolean(), z.int().min(0).max(1)])
/** Who may see an object. Masks may be left out where it inherits. */
export const security = z.union([
  z.object({ 'is-inherit': inherits, ...masks }),
  z.object({ 'is-inherit': z.union([z.literal(true), z.literal(1)]) })
])
shape(setDeviceSecurity, z.object({ sn: z.union([serial, z.array(serial).min(1).max(1000)]), security }))
shape(getGlobalDevice, nothing)

const protocol = z.literal([PROTOCOL_DEFAULT, RTMP, SRT])
const latency = wholeNumber(LATENCY_MIN, LATENCY_MAX).optional()
const config = z.object({
  input: z.object({ protocol, 'stream-index': z.literal([0, 1]), latency }).optional(),
  output: z.object({ protocol, latency, 'buffer-ms': wholeNumber(BUFFER_MIN, BUFFER_MAX).optional() }).optional()
})
shape(configureDevices, serials.extend({ config }))
shape(
  setGlobalDevice,
  z
    .object({ security: z.object(masks).optional(), config: config.optional() })
    .refine((request) => request.security ?? request.config, { path: ['security'] })
)

for (const call of [rebootDevices, startRecording, stopRecording, startLive, stopLive]) shape(call, serials)
// The wider of the two rules; which one is the device's own the hub looks up.
shape(renameDevice, z.object({ sn: serial, name: ruled(dottedDeviceName) }))

/** A user name or password of a device: nothing that could end a header or a query. */
const credential = z
  .string()
  .min(1)
  .max(64)
  .regex(/^\P{Cc}*$/u)
const reached = {
  address: ruled(host),
  port,
  https: z.boolean(),
  user: credential,
  password: credential
}
const { address, user, password } = reached
shape(
  addDevice,
  z.object({
    ...{ address, user, password, port: port.optional(), https: z.boolean().optional() },
    module: z.int().min(0).max(4294967295).optional()
  })
)
shape(setDeviceAddress, z.object(reached).partial().extend({ sn: serial, 'forget-cert': z.boolean().optional() }))
shape(setFavorite, serials.extend({ favorite: z.boolean() }))
