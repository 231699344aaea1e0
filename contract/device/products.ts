// Product families (`module` on the wire) and product ids.

export const ALL_FAMILIES = 0
export const ULTRA_STREAM = 1
export const ULTRA_ENCODE = 2
export const PRO_CONVERT_ENCODER = 3
export const PRO_CONVERT_DECODER = 4
export const PRO_CONVERT_AUDIO = 5
export const USB_FUSION = 6
export const DIRECTOR = 7
export const XMIT = 8
export const MODATOR = 9
export const ROUTER = 10
export const USB_CAPTURE = 11
export const OTHERS = 254
export const THIRD_PARTY = 4278190080

/** Names of the families: proper names, the same in every language. */
export const FAMILY_NAMES: Readonly<Record<number, string>> = {
  [ULTRA_STREAM]: 'Ultra Stream',
  [ULTRA_ENCODE]: 'Ultra Encode',
  [PRO_CONVERT_ENCODER]: 'Pro Convert Encoder',
  [PRO_CONVERT_DECODER]: 'Pro Convert Decoder',
  [PRO_CONVERT_AUDIO]: 'Pro Convert Audio',
  [USB_FUSION]: 'USB Fusion',
  [DIRECTOR]: 'Director',
  [XMIT]: 'Xmit',
  [MODATOR]: 'Modator',
  [ROUTER]: 'Router',
  [USB_CAPTURE]: 'USB Capture',
  [THIRD_PARTY]: 'Third Party',
  [OTHERS]: 'Others'
}

const FAMILY_OF_PRODUCT: Readonly<Record<number, number>> = {
  769: ULTRA_STREAM,
  770: ULTRA_STREAM,
  772: ULTRA_ENCODE,
  773: ULTRA_ENCODE,
  785: ULTRA_ENCODE,
  786: ULTRA_ENCODE,
  787: ULTRA_ENCODE,
  789: ULTRA_ENCODE,
  790: ULTRA_ENCODE,
  1025: PRO_CONVERT_ENCODER,
  1040: PRO_CONVERT_DECODER,
  1297: DIRECTOR,
  1305: DIRECTOR,
  1318: DIRECTOR,
  1320: DIRECTOR
}

/** Product id in a serial number: characters 2 to 4 as a hexadecimal number; undefined if they are not hexadecimal. */
export function productIdOf(sn: string): number | undefined {
  const digits = sn.slice(1, 4)
  return /^[0-9A-F]{3}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** Family of a product id; undefined for an unknown one. */
export function familyOfProduct(productId: number): number | undefined {
  return FAMILY_OF_PRODUCT[productId]
}

/** Serial number as displayed: a third-party serial number with more than 9 characters is shown without its first 9. */
export function displaySerial(sn: string, module: number): string {
  return module === THIRD_PARTY && sn.length > 9 ? sn.slice(9) : sn
}
