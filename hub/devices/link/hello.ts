// Reads the hello, with which a device describes itself when it registers. The client is not authenticated yet:
// anything that does not match the contract is refused.
import * as z from 'zod'
import { apiDefinition } from '../../../contract/device/api-definitions.ts'
import { type DeviceHello, SERIAL_NUMBER } from '../../../contract/device/link.ts'
import { familyOfProduct, findFamily, productIdOf } from '../../../contract/device/products.ts'
import { DIR_BOTH, DIR_INPUT, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import { decodeHello } from '../../../device-link/decode-hello.ts'
import { helloText } from '../../../device-link/hello-text.ts'

const shape: z.ZodType<DeviceHello> = z
  .object({
    sn: z.string().regex(SERIAL_NUMBER),
    name: helloText,
    module: z.number().refine((family) => findFamily(family) !== undefined),
    'module-name': helloText,
    'api-class': helloText.optional(),
    'product-id': z.int().min(0).max(0xffff_ffff),
    'hardware-ver': helloText,
    'firmware-ver': helloText,
    dir: z.literal([0, DIR_INPUT, DIR_OUTPUT, DIR_BOTH]),
    api: z.string().refine((name) => name === 'none' || apiDefinition(name) !== undefined),
    preview: z.boolean(),
    code: helloText.optional(),
    key: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .toLowerCase()
  })
  .refine(isPlausible)

/**
 * The product ids in the serial number and in the hello have to belong to the product family in the hello, as far as
 * they are known. The two ids may differ, because one model is sold under several ids.
 */
function isPlausible(hello: DeviceHello): boolean {
  return [productIdOf(hello.sn), hello['product-id']].every((id) => {
    const family = id === undefined ? undefined : familyOfProduct(id)
    return family === undefined || family === hello.module
  })
}

/**
 * Reads the value of the hello header.
 * @returns undefined if it is missing, too long, not base64url of UTF-8 JSON, has an invalid field, or is not plausible
 */
export function readHello(header: string | undefined): DeviceHello | undefined {
  return shape.safeParse(decodeHello(header)).data
}
