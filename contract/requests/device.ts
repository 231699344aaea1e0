import * as z from 'zod'
import {
  acceptDevices,
  deleteDevices,
  getGlobalDevice,
  listDevices,
  listDevicesBySerial,
  queryDevice,
  rejectDevices,
  setDeviceSecurity,
  setFavorite,
  setGlobalDevice
} from '../device.ts'
import { mark, mask, nothing, order, page, queryNumber, serial, serials, shape, since, text } from './shape.ts'

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
    sort: z.enum(['online-state', 'sn', 'name', 'time', 'module', 'connect-ip', 'firmware-ver']).optional(),
    order,
    since,
    mark
  })
)
shape(listDevicesBySerial, serials)
shape(queryDevice, z.object({ sn: serial }))
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
shape(setGlobalDevice, z.object({ security: z.object(masks) }))
shape(setFavorite, serials.extend({ favorite: z.boolean() }))
